"""Runs of mergesplit, and the programs that make them, from Python.

    import mergesplit

    run = mergesplit.run("scene.yaml", "out", time__end=0.1)     # ms-sample, ms-simulate, ms-analyze
    run = mergesplit.Run("results/small/fig07-mass-ratio/ratio-20")
    run.metrics["kinetic"], run.units["kinetic"]                 # a row per time step; J
    frame = run.frames[-1]
    frame["position"][frame.of("ball")]                          # m

What is wrong is a mergesplit.Fault, whose text is one line: what, where, and what would be right.
"""

from .faults import Fault, ProgramError
from .frames import Field, Frame
from .programs import analyze, run, sample, simulate
from .runs import Run

__all__ = ["Fault", "Field", "Frame", "ProgramError", "Run", "analyze", "run", "sample", "simulate"]
