"""The part of Numba's compiler that kernels need, which takes a seventh less time than the whole.

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

from numba.core import compiler, compiler_machinery, typed_passes, untyped_passes

compiler_base: Any = compiler.CompilerBase
registered: Any = compiler_machinery._pass_registry
manager: Any = compiler_machinery.PassManager

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
def without_collection() -> Iterator[None]:
    """Look for no garbage meanwhile: a compiler makes millions of objects and keeps most of them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class KernelCompiler(compiler_base):
    """Numba's compiler with the passes that kernels need."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function and all that it calls."""
        with without_collection():
            return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """The passes, as the only pipeline."""
        return [NATIVE]
