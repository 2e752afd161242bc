"""Compiles a kernel as a part of its callers: it is lowered once and optimised only within them.

Numba optimises each function on its own, together with all that it calls, and generates machine code and Python
wrappers for it. A game's rules are 150 small functions that call each other, so the innermost are optimised dozens of
times and nobody ever calls most of that machine code. Leaving it out halves the time to the first step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import compiler, compiler_machinery, funcdesc, lowering
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass

from .passes import KernelCompiler, Passes

# Numba's functions have no type hints.
njit: Any = numba.njit
lower_function: Any = lowering.Lower
register: Any = compiler_machinery.register_pass
describe: Any = funcdesc.PythonFunctionDescriptor.from_specialized_function
lowered: Any = compiler._LowerResult


def _describe(state: Any) -> Any:
    """Numba's description of the function being compiled: its name, types and calling convention."""
    return describe(
        state.func_ir,
        state.typemap,
        state.return_type,
        state.calltypes,
        mangler=state.targetctx.mangler,
        inline=state.flags.forceinline,
        noalias=state.flags.noalias,
        abi_tags=[state.flags.get_mangle_string()],
    )


class _PartLibrary(JITCodeLibrary):
    """The LLVM module of one part; the modules of functions it calls stay beside it until a caller links them."""

    def __init__(self, codegen: Any, name: str) -> None:
        start: Any = JITCodeLibrary.__init__
        start(self, codegen, name)
        self._whole: Any = None

    def finalize(self) -> None:
        """Do nothing more: callers link the module as it is."""
        self._finalized = True

    def own_module(self) -> Any:
        """The module of the part's own functions; several callers may link it."""
        shared: Any = JITCodeLibrary._get_module_for_linking
        return shared(self)

    def _get_module_for_linking(self) -> Any:
        """The part and all that it calls."""
        if self._whole is None:
            self._whole = self.own_module().clone()
            for library in _callers_first(self)[1:]:
                is_part = isinstance(library, _PartLibrary)
                module = library.own_module() if is_part else library._get_module_for_linking()
                self._whole.link_in(module, preserve=True)
        return self._whole


def _callers_first(library: Any) -> list[Any]:
    """A library and its dependencies, callers first: LLVM's linker drops functions that nothing has called yet."""
    done: dict[Any, None] = {}

    def visit(each: Any) -> None:
        if each not in done:
            for called in each._linking_libraries if isinstance(each, _PartLibrary) else ():
                visit(called)
            done[each] = None

    visit(library)
    return list(reversed(done))


@register(mutates_CFG=True, analysis_only=False)
class _LowerPart(LoweringPass):
    """Numba's pass from typed code to LLVM, without its last steps: linking, optimising and machine code."""

    _name = "riverbed_lower_part"

    def __init__(self) -> None:
        start: Any = LoweringPass.__init__
        start(self)

    def run_pass(self, state: Any) -> bool:
        """Lower the function and offer its library to be linked into callers."""
        context = state.targetctx
        library = state.library = _PartLibrary(context.codegen(), state.func_id.func_qualname)
        library._reload_init.update(state.reload_init)
        described = _describe(state)
        with context.push_code_library(library):
            lower = lower_function(context, library, described, state.func_ir, metadata=state.metadata)
            lower.lower()
        library.finalize()
        for called in library._linking_libraries:
            library._reload_init.update(called._reload_init)
        handle = object()  # identifies the function to callers, in place of a pointer
        context.insert_user_function(handle, described, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered(described, lower.call_helper, cfunc=handle, env=lower.env)
        return True


PASSES = Passes(_LowerPart)


class _PartCompiler(KernelCompiler):
    """A kernel's compiler with `_LowerPart` in place of Numba's lowering pass."""

    def define_pipelines(self) -> list[Any]:
        """The passes, as the only pipeline."""
        return [PASSES]


def part_of_callers(function: Callable[..., Any], *, inline: bool) -> Any:
    """A dispatcher that compiles `function` for its callers alone; Python can't call it."""
    part = njit(
        inline="always" if inline else "never",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
        pipeline_class=_PartCompiler,
    )(function)

    def compile_part(signature: Any) -> None:  # Numba's own method starts timers for each kernel that waits for it
        arguments = tuple(signature)
        if arguments not in part.overloads:
            with global_compiler_lock, part._compiling_counter:
                part.overloads[arguments] = part._compiler.compile(arguments, None)

    part.compile = compile_part
    return part
