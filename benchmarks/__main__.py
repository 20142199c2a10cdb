"""`python -m benchmarks`: all of them."""

from benchmarks import grounding, heuristics, measure, searches, ssp

parser = measure.options("All comparisons.")
grounding.add_options(parser)
arguments = parser.parse_args()
measure.print_machine()
grounding.run(arguments.quick, not arguments.no_488_peer)
for part in (heuristics, searches, ssp):
    print()
    part.run(arguments.quick)
