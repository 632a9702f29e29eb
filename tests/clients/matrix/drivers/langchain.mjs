/** LangChain's adapters: tools, resources by server, no prompts. */

import { MultiServerMCPClient } from "@langchain/mcp-adapters";

import { QUERY, RUST, WRONG, entry, run } from "./steps.mjs";

const client = new MultiServerMCPClient({ mcpServers: { sources: entry }, useStandardContentBlocks: true });
const named = async (name) => (await client.getTools()).find((tool) => tool.name === name);

await run({
  connect: async () => {
    await client.initializeConnections();
    return (await client.getClient("sources")).transport?.protocolVersion;
  },
  tools: async () => (await client.getTools()).map(({ name }) => name),
  call: async () => (await named("get_sources")).invoke(QUERY),
  unknown: async () => (await named("get_sources")).invoke(WRONG),
  resources: client.listResources && (async () => (await client.listResources()).sources.map(({ uri }) => uri)),
  read: client.readResource && (async () => (await client.readResource("sources", RUST))[0].text),
  close: () => client.close(),
});
