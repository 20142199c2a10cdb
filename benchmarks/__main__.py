"""`python -m benchmarks`: all of them."""

from benchmarks import grounding

grounding.main()
