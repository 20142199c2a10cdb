"""The names that a domain's text gives to the places of its predicates."""

import re

TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


def predicate_variables(domain_text: str, name: str, arity: int) -> tuple[str, ...]:
    """Of the predicate's declaration, or ?1, ?2, ... where it has none that tell them apart.

    >>> predicate_variables("(:predicates (at ?thing - object ?place))", "at", 2)
    ('?thing', '?place')
    >>> predicate_variables("", "at", 2)
    ('?1', '?2')
    """
    tokens = [each.lower() for each in TOKEN.findall(domain_text) if not each.startswith(";")]
    found: tuple[str, ...] = ()
    if ":predicates" in tokens:
        first = tokens.index(":predicates")
        for place in range(first, len(tokens) - 1):
            if tokens[place] == "(" and tokens[place + 1] == name:
                end = tokens.index(")", place) if ")" in tokens[place:] else len(tokens)
                found = tuple(each for each in tokens[place:end] if each.startswith("?"))
                break
    if len(found) != arity or len(set(found)) != arity:
        found = tuple(f"?{i + 1}" for i in range(arity))
    return found
