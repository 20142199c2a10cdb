"""Follow a trained policy on problems of a shipped domain: rollouts.py MODEL DOMAIN SIZE..."""

import sys

import asnets
from asnets import generators


def main(file: str, domain: str, *sizes: str) -> None:
    policy = asnets.Policy(file)
    for size in map(int, sizes):
        problem = generators.generate(domain, size, seed=0)
        task = asnets.ground_text(policy.model.domain_text, problem)
        runs = [policy.run(task, seed) for seed in range(1 if task.is_deterministic else 30)]
        costs = [run.cost for run in runs if run.reached_goal]
        mean = f"mean cost {sum(costs) / len(costs):.1f}" if costs else "never at the goal"
        print(
            f"{domain} {size}: {len(task.actions)} actions, "
            f"{len(costs)} of {len(runs)} rollouts reach the goal, {mean}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
