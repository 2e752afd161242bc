"""All that Riverbed uses of Numba's private parts; `RIVERBED_PLAIN_NUMBA=1` does without them.

With that variable kernels are what `numba.njit` makes, with Numba's cache: the same games, which compile more slowly.
What stays is `widening.widened`, since rules count on integers of 64 bits: narrow ones wrap around.
Set it where a new version of Numba breaks something here; `make plain` plays the Hunt's golden games so.
`pyproject.toml` has the newest version that was tested.

Each piece was measured by switching it off: processor time to the first step of a batch of the Hunt, with an empty
cache, NUMBA_OPT=1, on two busy cores, where the same start took 18 to 21 s. An idle machine takes half of that.

| without | s | what it does |
| --- | --- | --- |
| nothing | 20 | |
| `_PartLibrary`, `_LowerPart` | 36 | optimise a kernel within its callers alone, without machine code of its own |
| all of them and `widening.widened` | 72 | |

`KernelCache` serves later starts: it finds kernels in folders that can't be written and in copies of folders, and loads
them without Numba's compiler and SciPy.

These bought less than a fifth and are gone: a compiler of 14 of Numba's passes (4 s); code of kernels that many call,
kept once and called by its symbol; kernels
that were compiled when a table first needed them; compiling without collecting garbage and without timing LLVM's calls;
lifetimes of variables, computed once.
"""

import contextlib
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import (
    caching,
    compiler,
    compiler_machinery,
    funcdesc,
    lowering,
)
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass
from numba.core.runtime.nrt import rtsys
from numba.core.typed_passes import NativeLowering

from .cache import CacheFolders, warn_once
from .widening import widened

COMPILING = "riverbed: compiling (up to half a minute for a game's rules, as much for an agent; kept for later starts)"

# Numba's functions have no type hints.
njit: Any = numba.njit
numbas_cache: Any = caching.FunctionCache
index_file: Any = caching.IndexDataCacheFile
rebuild: Any = compiler.CompileResult._rebuild
compiler_base: Any = compiler.CompilerBase
pass_builder: Any = compiler.DefaultPassBuilder
lowered: Any = compiler._LowerResult
register: Any = compiler_machinery.register_pass
describe: Any = funcdesc.PythonFunctionDescriptor.from_specialized_function
lower_function: Any = lowering.Lower


def compile_kernel(function: Callable[..., Any], folders: CacheFolders, *, parallel: bool, inline: bool) -> Any:
    """A dispatcher whose callers compile it as a part of themselves."""
    # Nobody calls kernels from C; leaving out those wrappers saves a fifteenth of the compile time.
    kernel = njit(
        parallel=parallel,
        inline="always" if inline else "never",
        no_cfunc_wrapper=True,
    )(function)
    kernel._cache = KernelCache(function, folders)
    _resolve_calls(kernel, function, inline=inline)
    return kernel


def _resolve_calls(kernel: Any, function: Callable[..., Any], *, inline: bool) -> None:
    """Let callers compile a part for themselves."""

    @functools.cache
    def part() -> Any:  # made when something that calls it is compiled
        made = _part_of_callers(function, inline=inline)
        made._compiling_counter = kernel._compiling_counter  # so that Numba recognises a recursive call
        return made

    kernel.get_call_template = lambda args, kws: part().get_call_template(*widened(args, kws))
    kernel.get_overload = lambda arguments: part().get_overload(arguments)


# --- parts ------------------------------------------------------------------------------------------------------------


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


class _PartCompiler(compiler_base):
    """Numba's compiler with `_LowerPart` in place of its own lowering pass."""

    def define_pipelines(self) -> list[Any]:
        """The passes, as the only pipeline."""
        passes = pass_builder.define_nopython_pipeline(self.state)
        passes.passes = [(_LowerPart if each is NativeLowering else each, said) for each, said in passes.passes]
        passes.finalize()
        return [passes]


def _part_of_callers(function: Callable[..., Any], *, inline: bool) -> Any:
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


# --- the cache --------------------------------------------------------------------------------------------------------


@functools.cache
def announce_compilation() -> None:
    """Say on standard error, once in a process, that kernels are being compiled."""
    print(COMPILING, file=sys.stderr, flush=True)


class KernelCache(numbas_cache):
    """The compiled versions of one function. Where Numba's own cache would raise, the function is compiled again.

    Numba itself raises: a full disk would end a run only because the next start would be slower, and a file left empty
    by a power cut would end every later start. Before it loads a kernel, it also imports its whole compiler, with
    SciPy, which a compilation does itself.
    """

    def __init__(self, function: Callable[..., Any], folders: CacheFolders) -> None:
        self._py_func, self._folders = function, folders
        code = function.__code__
        version = "".join(map(str, sys.version_info[:2])) + getattr(sys, "abiflags", "")
        name = function.__qualname__.replace("<", "").replace(">", "")  # Windows refuses them in the names of files
        self._name = f"{Path(code.co_filename).stem}.{name}-{code.co_firstlineno}.py{version}"

    @property
    def cache_path(self) -> str:
        """Where the function is saved, or looked for."""
        return str(self._folders.saved or self._folders.read[0])

    def _file(self, folder: Path) -> Any:
        """The function's part of a folder; Numba would compare a stamp of the source."""
        return index_file(str(folder), self._name, source_stamp=None)

    def _key(self, signature: Any, codegen: Any) -> Any:
        """What must be equal: module, signature, processor, bytecode; Numba adds its version."""
        return self._py_func.__module__, self._index_key(signature, codegen)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the compiled kernel; return None if there is none. An unreadable one is deleted."""
        key = self._key(signature, target.codegen())
        for folder in self._folders.read:
            file = self._file(folder)
            try:
                rtsys.initialize(target)  # loaded kernels allocate arrays
                found = file.load(key)
                if found is not None:
                    return rebuild(target, *found)
            except Exception:  # pickle and LLVM raise all kinds of errors for damaged bytes
                with contextlib.suppress(OSError):
                    file.flush()
        announce_compilation()  # Numba compiles what isn't found
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save a compiled kernel; if it can't be saved, or not in the first choice, warn once."""
        if compiled.lifted or compiled.library.has_dynamic_globals:
            return
        if self._folders.warning:
            warn_once(self._folders.warning)
        folder = self._folders.saved
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file(folder).save(self._key(signature, compiled.codegen), compiled._reduce())
        except OSError as error:
            warn_once(
                f"compiled kernels can't be saved in {folder.parent} ({error.strerror}): they will be compiled again "
                "at the next start"
            )

    def flush(self) -> None:
        """Forget all that is saved of the function."""
        if self._folders.saved is not None:
            self._file(self._folders.saved).flush()
