"""The article's experiment, run again."""
