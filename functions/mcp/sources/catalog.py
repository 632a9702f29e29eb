"""The catalog: every tool, resource and prompt of the server, in the order in which clients see them."""

from typing import TYPE_CHECKING, Final

from mcpcore import BuiltServer, Server, ToolText
from sources.baked import BakedRegistry
from sources.matching import Strategy, build_strategy
from sources.prebuilt import read_prebuilt
from sources.prompts import RegistryPrompts
from sources.resources import CATEGORY_TEMPLATE, REGISTRY_URI, BaseUrl, RegistryResources
from sources.settings import ProductSettings
from sources.tools import RegistryTools

if TYPE_CHECKING:
    from pathlib import Path

SERVER_NAME: Final = "three-good-sources"
SERVER_VERSION: Final = "0.1.0"

# `make build` writes the prebuilt server here, beside the handler.
_FUNCTION_FOLDER: Final = __file__.rpartition("/sources/")[0]

INSTRUCTIONS: Final = (
    "This server holds a registry in which a curator picks, for each topic, exactly three ranked sources "
    "and says why. Call get_sources when someone wants to learn about a topic or looks for good "
    "material on it, before a web search or instead of one. Pass the topic in a few plain words, not the "
    "whole question. Read the sources in the order of their ranks, and give the curator's reason when you "
    "recommend one.\n\nIf nothing matches, the error names the closest categories: if one of them is meant, "
    "ask again with its slug. search_categories ranks what is near a query, list_categories shows everything "
    "that is covered. A topic that is not there has no sources here: say so, do not make them up. "
    "get_provenance tells whose judgement this is and how to verify it, get_endorsements who else stands for "
    "it, get_audit_log what changed and when."
)


def open_server(
    settings: ProductSettings,
    *,
    prebuilt_in: "Path | str" = _FUNCTION_FOLDER,
    base_url: BaseUrl = lambda _: "",
) -> BuiltServer:
    """The server that `settings` describe, over the baked registry in their folder.

    If the folder `prebuilt_in` holds the prebuilt server for this registry, building takes it from there.

    Raises:
        BakedRegistryError: there is no registry in the folder, or it cannot be opened.
        DefinitionError: the prebuilt server does not fit this code.
    """
    registry = BakedRegistry.open(settings.registry_dir)
    strategy = build_strategy(settings.match_strategy, registry, settings.match_settings)
    server = build_server(
        registry,
        strategy,
        log_no_matches=settings.log_no_matches,
        tool_text=settings.tool_text,
        base_url=base_url,
    )
    return server.build(read_prebuilt(prebuilt_in, registry.manifest.digest))


def build_server(
    registry: BakedRegistry,
    strategy: Strategy,
    *,
    log_no_matches: bool = False,
    tool_text: ToolText = "json",
    base_url: BaseUrl = lambda _: "",
) -> Server:
    """The server over one registry and one matching strategy, with everything registered.

    With `log_no_matches` the words of a query without a match are logged. `tool_text` is what the text of a
    tool's result is: its structured content as JSON, prose of its `own`, or both.
    """
    server = Server(
        SERVER_NAME,
        version=SERVER_VERSION,
        title="Three Good Sources",
        description="Exactly three ranked sources for each topic, picked by a curator who says why.",
        instructions=INSTRUCTIONS,
        tool_text=tool_text,
    )
    _register_tools(server, RegistryTools(registry, strategy, log_no_matches=log_no_matches))
    _register_resources(server, RegistryResources(registry, base_url))
    _register_prompts(server, RegistryPrompts(registry, strategy))
    return server


def _register_tools(server: Server, tools: RegistryTools) -> None:
    """All tools are read-only: the registry does not change while the server runs."""
    server.tool(
        title="Get three sources",
        description=(
            "Get the three best sources on a topic, ranked by a curator, each with its URL, its type "
            "and the reason for its rank. Use it when someone wants to learn a subject, start a project or "
            "find trustworthy material, before searching the web. If no category matches, the error names "
            "the closest ones and says how to ask again. The answer says why its category matched, and which "
            "one came next; ask for alternatives if a question may touch several topics."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.get_sources)
    server.tool(
        title="List categories",
        description=(
            "List every topic that the registry covers, with its slug, name and description. Use it to see "
            "what can be asked for, or to pick the right words after get_sources found no match."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.list_categories)
    server.tool(
        title="Search categories",
        description=(
            "Search the topics that the registry covers: those near a query, best first, each with its slug, "
            "description, score and what matched, but without sources. Use it to browse a field, to see what "
            "is close when get_sources found no match, or to choose between topics; then call get_sources "
            "with the slug of the one you want. An empty list means that nothing is near."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.search_categories)
    server.tool(
        title="Get provenance",
        description=(
            "Get the curator's name and public key, the version, date, digest and signature of the registry, "
            "and how to verify them. Use it when someone asks who picked these sources or whether they can "
            "be trusted."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.get_provenance)
    server.tool(
        title="Get endorsements",
        description=(
            "Get the people and projects that stand for this registry, each with a link, the date since "
            "when, and a statement. Use it to judge how far to trust the curator."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.get_endorsements)
    server.tool(
        title="Get audit log",
        description=(
            "Get the signed log of every change to the registry: categories, sources, endorsements and keys "
            "that were added, updated or removed, the oldest first. Use it when someone asks what changed, "
            "since when a source is listed, or for evidence that nothing was changed in secret."
        ),
        read_only=True,
        idempotent=True,
        open_world=False,
    )(tools.get_audit_log)


def _register_resources(server: Server, resources: RegistryResources) -> None:
    server.resource(
        REGISTRY_URI,
        name="registry",
        title="The registry",
        description=(
            "Version, date, curator, digest and signature of the registry, the URIs of its categories, and "
            "the address of the canonical JSON, with every category, that digest and signature cover."
        ),
        mime_type="application/json",
    )(resources.registry)
    server.resource(
        CATEGORY_TEMPLATE,
        name="category",
        title="A category",
        description="One category with its three ranked sources.",
        mime_type="application/json",
        instances=resources.categories,
        fixed=True,
    )(resources.category)
    server.completion("slug", resource=CATEGORY_TEMPLATE)(resources.complete_slug)


def _register_prompts(server: Server, prompts: RegistryPrompts) -> None:
    server.prompt(
        title="Research a topic",
        description="Research a topic from the three sources that the registry's curator picked for it.",
    )(prompts.research_topic)
    server.completion("topic", prompt="research_topic")(prompts.complete_topic)
