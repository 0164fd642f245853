"""Trains a policy that teaches itself, on many games at once: ``./dev train`` (docs/training.md). It needs PyTorch, which the
package never does; what is learned goes into the package as numbers alone."""
