/** mcp-client, which walks every list to its end by itself. */

import { MCPClient } from "mcp-client";

import { QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts, url } from "./steps.mjs";

const client = new MCPClient({ name: "mcp-client", version: "1.0.0" });
const call = async (query) => shown(await client.callTool({ name: "get_sources", arguments: query }));

await run({
  connect: () => client.connect({ type: url ? "httpStream" : "stdio", ...entry }),
  tools: async () => (await client.getAllTools()).map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: async () => (await client.getAllResources()).map(({ uri }) => uri),
  read: async () => (await client.getResource({ uri: RUST })).contents[0].text,
  prompts: async () => (await client.getAllPrompts()).map(({ name }) => name),
  prompt: async () => {
    const { messages } = await client.getPrompt({ name: "research_topic", arguments: TOPIC });
    return texts(messages.map(({ content }) => content));
  },
  close: () => client.close(),
});
