"""The part of Numba's compiler that kernels need, which takes less time than the whole.

Numba runs 27 passes over each function and keeps records of each pass. Kernels are plain loops over records and arrays.
They have no `with` blocks or loops over tuples of mixed types, which Numba refuses here, and no arithmetic on whole
arrays, which is slower here. Those with functions inside them, such as comprehensions, get two passes more.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from types import CodeType
from typing import Any

from llvmlite.binding import ffi
from numba.core import compiler, compiler_machinery, postproc, transforms, typed_passes, untyped_passes

compiler_base: Any = compiler.CompilerBase
registered: Any = compiler_machinery._pass_registry
manager: Any = compiler_machinery.PassManager
analyser: Any = postproc.PostProcessor
lifetime: Any = postproc.VariableLifetime
canonicalize: Any = transforms.canonicalize_cfg
llvm_lock: Any = getattr(ffi.lib, "_lock", None)

BEFORE_LOWERING = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.InlineClosureLikes,
    untyped_passes.GenericRewrites,  # a record's fields by constant names
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.DeadBranchPrune,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
)
FOR_INNER_FUNCTIONS = (untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction)


class Passes(manager):
    """Numba's manager of passes, without its records and checks of each pass."""

    def __init__(self, lowering: Any) -> None:
        super().__init__("kernel")
        for each in (*BEFORE_LOWERING, lowering, typed_passes.NoPythonBackend):
            self.add_pass(each, each.__name__)
        self.finalize()

    def run(self, state: Any) -> None:
        """Run the passes in order."""
        has_inner = any(isinstance(constant, CodeType) for constant in state.func_id.code.co_consts)
        for each, _ in self.passes:
            if each in FOR_INNER_FUNCTIONS and not has_inner:
                continue
            step = registered.get(each).pass_inst
            step.analysis = self._analysis
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)


NATIVE = Passes(typed_passes.NativeLowering)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Look for no garbage meanwhile, and don't time LLVM's calls.

    A compiler makes millions of objects and keeps most of them. Numba times each of some 40,000 calls, which takes
    longer than most of these calls.
    """
    enabled, timers = gc.isenabled(), list(getattr(llvm_lock, "_cblist", ()))  # other versions are just slower
    gc.disable()
    for timer in timers:
        ffi.unregister_lock_callback(*timer)
    try:
        yield
    finally:
        for timer in timers:
            ffi.register_lock_callback(*timer)
        if enabled:
            gc.enable()


@contextlib.contextmanager
def lifetimes_at_the_end() -> Iterator[None]:
    """Compute how long variables live for the last pass alone, which frees them; Numba does so five times more."""
    analyse = analyser.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            analyse(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = canonicalize(self.func_ir.blocks)
            self.func_ir.variable_lifetime = lifetime(self.func_ir.blocks)  # computes when it is asked

    analyser.run = run
    try:
        yield
    finally:
        analyser.run = analyse


class KernelCompiler(compiler_base):
    """Numba's compiler with the passes that kernels need."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function and all that it calls."""
        with undisturbed(), lifetimes_at_the_end():  # one thread at a time: Numba holds its compiler's lock
            return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """The passes, as the only pipeline."""
        return [NATIVE]
