"""Fast Downward with policies: how it is built and started."""
