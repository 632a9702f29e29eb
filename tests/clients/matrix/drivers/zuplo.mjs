/** Zuplo's client, an implementation of its own: HTTP only, tools and prompts. */

import { MCPClient } from "@zuplo/mcp/client";
import { HTTPClientTransport } from "@zuplo/mcp/transport/httpclient";

import { QUERY, TOPIC, WRONG, run, shown, texts, url } from "./steps.mjs";

const client = new MCPClient();

await run({
  connect: async () => {
    await client.connect(new HTTPClientTransport({ url }));
    return (await client.initialize()).protocolVersion;
  },
  tools: async () => (await client.listTools()).map(({ name }) => name),
  call: async () => shown(await client.callTool("get_sources", QUERY)),
  unknown: async () => shown(await client.callTool("get_sources", WRONG)),
  prompts: async () => (await client.listPrompts()).map(({ name }) => name),
  prompt: async () => {
    const { messages } = await client.getPrompt("research_topic", TOPIC);
    return texts(messages.map(({ content }) => content));
  },
  close: () => client.disconnect(),
});
