"""atomic-agents: the classes that it makes of a server's tools, resources and prompts."""

import shlex

from atomic_agents.connectors.mcp import MCPFactory, MCPTransportType
from session import texts
from steps import QUERY, TOPIC, URI, WRONG, refused, run, step, target

TO = target()


def main():
    if TO.url is None:
        factory = MCPFactory(shlex.join(TO.command), MCPTransportType.STDIO)
    else:
        # It puts /mcp/ behind what it is given.
        factory = MCPFactory(TO.url.removesuffix("/mcp"), MCPTransportType.HTTP_STREAM)
    tools = {tool.mcp_tool_name: tool for tool in factory.create_tools()}
    with step("connect") as found:
        found(None)
    with step("tools") as found:
        found(list(tools))
    with step("call") as found:
        found(call(tools["get_sources"], QUERY))
    with refused() as found:
        found(False, call(tools["get_sources"], WRONG))
    resources = {resource.uri: resource for resource in factory.create_resources()}
    with step("resources") as found:
        found([uri for uri in resources if "{" not in uri])  # templates are classes, too
    with step("read") as found:
        resource = resources[URI]
        found(texts(resource().read(resource.input_schema(resource_name=resource.mcp_resource_name)).content))
    prompts = {prompt.mcp_prompt_name: prompt for prompt in factory.create_prompts()}
    with step("prompts") as found:
        found(list(prompts))
    with step("prompt") as found:
        prompt = prompts["research_topic"]
        found(prompt().generate(prompt.input_schema(prompt_name="research_topic", **TOPIC)).content)


def call(tool, arguments):
    return (
        tool()
        .run(tool.input_schema(tool_name=tool.mcp_tool_name, **arguments))
        .model_dump(mode="json", exclude_unset=True)
    )


run(main)
