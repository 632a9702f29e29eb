/** The AI SDK's MCP client, a package of its own since version 6 of the AI SDK. */

import { experimental_createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";

import { CALLED, QUERY, RUST, TOPIC, WRONG, args, command, run, shown, texts, url } from "./steps.mjs";

const transport = url
  ? { type: "http", url }
  : new Experimental_StdioMCPTransport({ command, args });
let client;
let tools;

await run({
  connect: async () => {
    client = await experimental_createMCPClient({ transport });
    return client.initializeResult?.protocolVersion;
  },
  tools: async () => Object.keys((tools = await client.tools())),
  call: async () => shown(await tools.get_sources.execute(QUERY, CALLED)),
  unknown: async () => shown(await tools.get_sources.execute(WRONG, CALLED)),
  resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
  read: async () => (await client.readResource({ uri: RUST })).contents[0].text,
  prompts: async () => (await client.experimental_listPrompts()).prompts.map(({ name }) => name),
  prompt: async () => {
    const { messages } = await client.experimental_getPrompt({ name: "research_topic", arguments: TOPIC });
    return texts(messages.map(({ content }) => content));
  },
  close: () => client.close(),
});
