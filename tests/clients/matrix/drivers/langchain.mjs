/** LangChain's adapters: tools, and resources since version 1. */

import { MultiServerMCPClient } from "@langchain/mcp-adapters";

import { QUERY, RUST, WRONG, entry, run } from "./steps.mjs";

const client = new MultiServerMCPClient({ mcpServers: { sources: entry }, useStandardContentBlocks: true });
const named = async (name) => (await client.getTools()).find((tool) => tool.name === name);
const resources = async () => (await client.listResources()).sources.map(({ uri }) => uri);

await run({
  connect: async () => {
    await client.initializeConnections();
    return (await client.getClient("sources")).transport?.protocolVersion;
  },
  tools: async () => (await client.getTools()).map(({ name }) => name),
  call: async () => (await named("get_sources")).invoke(QUERY),
  unknown: async () => (await named("get_sources")).invoke(WRONG),
  resources: client.listResources && resources,
  read: client.readResource && (async () => (await client.readResource("sources", RUST))[0].text),
  close: () => client.close(),
});
