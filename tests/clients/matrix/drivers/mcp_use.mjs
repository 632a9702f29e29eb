/** mcp-use, version 1: sessions of a `MCPClient`. */

import { MCPClient } from "mcp-use/client";

import { QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts } from "./steps.mjs";

const client = MCPClient.fromDict({ mcpServers: { sources: entry } });
let session;

await run({
  connect: async () => {
    session = await client.createSession("sources");
    return undefined; // it does not tell
  },
  tools: async () => (await session.listTools()).map(({ name }) => name),
  call: async () => shown(await session.callTool("get_sources", QUERY)),
  unknown: async () => shown(await session.callTool("get_sources", WRONG)),
  resources: async () => (await session.listResources()).resources.map(({ uri }) => uri),
  read: async () => (await session.readResource(RUST)).contents[0].text,
  prompts: async () => (await session.listPrompts()).prompts.map(({ name }) => name),
  prompt: async () => {
    const { messages } = await session.getPrompt("research_topic", TOPIC);
    return texts(messages.map(({ content }) => content));
  },
  close: () => client.closeAllSessions(),
});
