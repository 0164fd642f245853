"""Compiled functions that other compiled functions call, and nobody else.

Numba makes every function ready to be called by itself: it optimises it together with all that it calls, turns it into machine
code, and writes two wrappers. A policy is made of a hundred functions, and only the loop that they become part of is ever run.
Here they are handed to their callers as they stand, and the loop alone becomes machine code.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):
    """The code of a function and of those it calls, linked and not loaded."""

    becomes_part_of_others = False
    """Whether it is a few lines that callers take in: those are optimised first, or random games are 7 to 9 % slower."""

    def _optimize_final_module(self) -> None:
        if self.becomes_part_of_others:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Numba's step from typed functions to code, without making the code ready to be called from Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> Any:
        """Write the code, and tell the compiler where callers find it."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.becomes_part_of_others = state.flags.forceinline
        state.flags.no_compile = True
        done = super().run_pass(state)
        # Callers look the code up by what Python would call: something built in, one for each. This refuses numbers and rows.
        refuses: Any = {}.update
        state.targetctx.insert_user_function(refuses, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=refuses)
        return done


class PartCompiler(CompilerBase):
    """Numba's way of compiling a function, with a last step of our own."""

    def define_pipelines(self) -> list[Any]:
        """The steps."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        places = [place for place, (step, _) in enumerate(passes.passes) if step is NativeLowering]
        passes.passes[places[0]] = PartLowering, "part lowering"
        passes.finalize()
        return [passes]
