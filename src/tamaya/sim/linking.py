"""Compiling functions that only other compiled functions call.

Numba makes every function callable from Python: it optimises it together with everything that it calls, generates machine code,
and writes two wrappers. A policy consists of a hundred functions, of which only the enclosing loop is ever called from Python.
Here they are handed to their callers unoptimised, and only the loop becomes machine code.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):
    """The code of a function and of those that it calls, linked but not loaded."""

    becomes_part_of_others = False
    """Whether it is a short function that callers inline: those are optimised first, or random games are 7 to 9 % slower."""

    def _optimize_final_module(self) -> None:
        if self.becomes_part_of_others:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Numba's lowering step, without making the code callable from Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> Any:
        """Generate the code, and register where callers find it."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.becomes_part_of_others = state.flags.forceinline
        state.flags.no_compile = True
        done = super().run_pass(state)
        # Callers look the code up by a Python object: a built-in method, one per function. It refuses numbers and rows.
        refuses: Any = {}.update
        state.targetctx.insert_user_function(refuses, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=refuses)
        return done


class PartCompiler(CompilerBase):
    """Numba's compiler with a lowering step of its own."""

    def define_pipelines(self) -> list[Any]:
        """The compiler's pipeline."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        places = [place for place, (step, _) in enumerate(passes.passes) if step is NativeLowering]
        passes.passes[places[0]] = PartLowering, "part lowering"
        passes.finalize()
        return [passes]
