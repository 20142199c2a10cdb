"""The trainer of Action Schema Networks, run as `python -m asnets_train`."""
