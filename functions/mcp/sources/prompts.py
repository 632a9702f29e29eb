"""The prompts: tasks that a user picks from the client's menu."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from mcpcore import Param
from sources.baked import BakedRegistry
from sources.finding import Finder, NotFound, complete
from sources.matching import Strategy

Topic = Annotated[str, Param(description='The topic in a few plain words, such as "learn rust".')]


class RegistryPrompts:
    """The prompts over one registry."""

    def __init__(self, registry: BakedRegistry, strategy: Strategy) -> None:
        self._registry = registry
        self._finder = Finder(registry, strategy)

    def research_topic(self, topic: Topic) -> str:
        """The task of researching `topic`, with the sources of the matching category, or advice to find one.

        One text: several client libraries read no other content in a prompt.
        """
        found = self._finder.find(topic)
        if isinstance(found, NotFound):
            return f"I want to research this topic: {topic}\n\n{found.reason}"
        return (
            f"Research this topic for me: {topic}\n\n"
            f'A curator has picked three sources for "{found.answer.structured["category"]["name"]}"; they '
            "follow below. Read them in the order of their ranks, as far as you can open them. Then tell me "
            "what each one teaches, in which order to work through them, where I may stop, and what they "
            "leave open. Name the source of each statement by its rank and URL. If you cannot open one, say "
            f"so; do not put another in its place.\n\n{found.answer.text}"
        )

    def complete_topic(self, value: str, arguments: Mapping[str, str]) -> Sequence[str]:
        """The slugs, as words, that contain `value`: those that begin with it first."""
        del arguments  # the prompt has no other
        return complete(value, (slug.replace("-", " ") for slug in self._registry.slugs()))
