"""Understanding a trained network: its equations, its activations on a problem, the reasons of a decision."""
