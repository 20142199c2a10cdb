"""`python -m asnets_train domain.pddl train/*.pddl -o bw.pt`: train a policy for a domain."""

from asnets_train.command import main

if __name__ == "__main__":
    main()
