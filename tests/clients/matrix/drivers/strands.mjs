/** The Strands Agents SDK: tools only. */

import { McpClient } from "@strands-agents/sdk";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { QUERY, WRONG, args, command, run, url } from "./steps.mjs";

const client = new McpClient(url ? { url } : { transport: new StdioClientTransport({ command, args }) });
const call = async (query) => {
  const tool = (await client.listTools()).find(({ name }) => name === "get_sources");
  return client.callTool(tool, query);
};

await run({
  connect: () => client.connect(),
  tools: async () => (await client.listTools()).map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  close: () => client.disconnect(),
});
