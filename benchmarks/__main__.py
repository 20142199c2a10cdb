"""`python -m benchmarks`: all of them."""

from benchmarks import downward, grounding, heuristics, measure, policies, searches, ssp, training

measure.main(
    "All comparisons.",
    grounding.run,
    heuristics.run,
    searches.run,
    ssp.run,
    training.run,
    policies.run,
    downward.run,
)
