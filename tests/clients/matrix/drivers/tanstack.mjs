/** TanStack AI's MCP client. */

import { createMCPClient } from "@tanstack/ai-mcp";
import { stdioTransport } from "@tanstack/ai-mcp/stdio";

import { QUERY, RUST, TOPIC, WRONG, args, command, run, shown, texts, url } from "./steps.mjs";

const transport = url ? { type: "http", url } : stdioTransport({ command, args });
let client;

await run({
  connect: async () => {
    client = await createMCPClient({ transport });
    return undefined; // it does not tell
  },
  tools: async () => (await client.tools()).map(({ name }) => name),
  call: async () => shown(await client.callTool("get_sources", QUERY)),
  unknown: async () => shown(await client.callTool("get_sources", WRONG)),
  resources: async () => (await client.resources()).map(({ uri }) => uri),
  read: async () => (await client.readResource(RUST)).contents[0].text,
  prompts: async () => (await client.prompts()).map(({ name }) => name),
  prompt: async () => {
    const { messages } = await client.getPrompt("research_topic", TOPIC);
    return texts(messages.map(({ content }) => content));
  },
  close: () => client.close(),
});
