"""Games that live on a card: the same functions as CUDA device functions."""

from tamaya.sim.cuda.batch import CudaBatch

__all__ = ["CudaBatch"]
