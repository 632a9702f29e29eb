/** Mastra's MCP client: one for all servers, what they offer by server. */

import { MCPClient } from "@mastra/mcp";

import { CALLED, QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts, url } from "./steps.mjs";

const client = new MCPClient({ servers: { sources: url ? { url: new URL(url) } : entry } });
let tools;

await run({
  connect: async () => {
    tools = (await client.listToolsets()).sources;
    return undefined; // it does not tell
  },
  tools: () => Object.keys(tools),
  call: () => tools.get_sources.execute(QUERY, CALLED),
  unknown: () => tools.get_sources.execute(WRONG, CALLED),
  resources: async () => (await client.resources.list()).sources.map(({ uri }) => uri),
  read: async () => (await client.resources.read("sources", RUST)).contents[0].text,
  prompts: async () => (await client.prompts.list()).sources.map(({ name }) => name),
  prompt: async () => {
    const research = { serverName: "sources", name: "research_topic", args: TOPIC };
    return texts((await client.prompts.get(research)).messages.map(({ content }) => content));
  },
  close: () => client.disconnect(),
});
