"""Outside judges of the core: Fast Downward's translator, and slow code that is easy to believe."""
