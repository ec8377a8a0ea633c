"""The papers whose figures are repeated and whose statements are tested, a line each."""

import re
from collections import namedtuple

# kind      of the claims about it (claims.py)
# letter    its statements are numbered with, M01, M02 ...
# file      of its statements, comma-separated
# folders   how names of experiments about it begin
# words     what texts call it
# title     by which CITATION.cff has it
# heading   of its experiments in docs/experiments.md
# section   of its experiments on the page: the heading, and that in the contents
Paper = namedtuple("Paper", "kind letter file folders words title heading section")

PAPERS = {paper.kind: paper for paper in (
    Paper("paper", "M", "docs/paper.csv", r"fig\d|table\d", "the paper on merging-and-splitting", "Particle Merging-and-Splitting",
          "Figures 1 to 11 and Table 1 of *Particle Merging-and-Splitting* (2021)", ("Merging-and-splitting, figure by figure", "Merging-and-splitting")),
    Paper("corotated", "C", "docs/corotated-paper.csv", "ces-", "the paper on corotated SPH",
          "Fast Corotated Elastic SPH Solids with Implicit Zero-Energy Mode Control",
          "Fast corotated elastic SPH solids (Kugelstadt et al. 2021): their figures, tables, and our tests of the method",
          ("Corotated solids", "Corotated solids")),
    Paper("unified", "U", "docs/unified-paper.csv", "upp-", "the paper on unified particle physics",
          "Unified Particle Physics for Real-Time Applications",
          "Unified particle physics (Macklin et al. 2014): its figures and table, and our tests of the method",
          ("Unified particle physics", "Unified particles")),
)}


def paper_of(experiment):
    """The kind of the paper that an experiment is about; None: of our own."""
    return next((kind for kind, paper in PAPERS.items() if re.match(paper.folders, experiment)), None)


def line_of(claim_id):
    """The line with which the id of a claim begins, "U08" of "U08-momentum"."""
    return claim_id.partition("-")[0]
