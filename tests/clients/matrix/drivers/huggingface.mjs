/** Hugging Face's client: tools only, called by its model alone. */

import { McpClient } from "@huggingface/mcp-client";

import { args, command, run, url } from "./steps.mjs";

const client = new McpClient({ endpointUrl: "http://127.0.0.1:9", model: "none" });

await run({
  connect: () =>
    client.addMcpServer(
      url ? { type: "http", config: { url } } : { type: "stdio", config: { command, args } },
    ),
  tools: () => client.availableTools.map((tool) => tool.function.name),
  close: () => client.cleanup(),
});
