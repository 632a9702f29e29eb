/** Google's Agent Development Kit: a toolset, connecting for every call, with tools and named resources. */

import { MCPToolset } from "@google/adk";

import { QUERY, WRONG, args, command, run, shown, url } from "./steps.mjs";

const toolset = new MCPToolset(
  url
    ? { type: "StreamableHTTPConnectionParams", url }
    : { type: "StdioConnectionParams", serverParams: { command, args } },
);
const call = async (query) => {
  const tool = (await toolset.getTools()).find(({ name }) => name === "get_sources");
  return shown(await tool.runAsync({ args: query, toolContext: {} }));
};
await run({
  connect: async () => void (await toolset.getTools()),
  tools: async () => (await toolset.getTools()).map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: toolset.listResources && (() => toolset.listResources()),
  read: toolset.readResource && (async () => (await toolset.readResource("rust-learning"))[0].text),
  close: () => toolset.close(),
});
