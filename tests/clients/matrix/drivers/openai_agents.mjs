/** The OpenAI Agents SDK's servers: tools, and resources in later versions. */

import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents-core";

import { QUERY, RUST, WRONG, entry, run, shown, url } from "./steps.mjs";

const server = url ? new MCPServerStreamableHttp(entry) : new MCPServerStdio(entry);
const call = async (query) => shown({ content: await server.callTool("get_sources", query) });
const resources = async () => (await server.listResources()).resources.map(({ uri }) => uri);

await run({
  connect: () => server.connect(),
  tools: async () => (await server.listTools()).map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: server.listResources && resources,
  read: server.readResource && (async () => (await server.readResource(RUST)).contents[0].text),
  close: () => server.close(),
});
