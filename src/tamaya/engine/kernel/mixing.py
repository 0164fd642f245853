from tamaya.engine.kernel.parts import build_mixing as build_mixing
