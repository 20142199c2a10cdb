"""What prints numbers: ratios against named peers, measured in one run."""
