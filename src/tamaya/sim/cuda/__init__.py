"""Games on a GPU: the same functions as CUDA device functions."""

from tamaya.rules.errors import require

require("numpy", "sim")
require("numba.cuda", "gpu")

from tamaya.sim.cuda.batch import CudaBatch  # noqa: E402 - what it needs comes first

__all__ = ["CudaBatch"]
