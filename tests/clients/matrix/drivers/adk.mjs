/** Google's Agent Development Kit: tools and resources of a toolset, which connects for every call; no prompts. */

import { MCPToolset } from "@google/adk";

import { QUERY, RUST, WRONG, args, command, run, shown, url } from "./steps.mjs";

const toolset = new MCPToolset(
  url
    ? { type: "StreamableHTTPConnectionParams", url }
    : { type: "StdioConnectionParams", serverParams: { command, args } },
);
const call = async (query) => {
  const tool = (await toolset.getTools()).find(({ name }) => name === "get_sources");
  return shown(await tool.runAsync({ args: query }));
};
const nameOfRust = "Learning Rust";

await run({
  connect: async () => void (await toolset.getTools()),
  tools: async () => (await toolset.getTools()).map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: toolset.listResources && (() => toolset.listResources()),
  read: toolset.readResource && (async () => (await toolset.readResource(nameOfRust))[0].text),
  close: () => toolset.close(),
});
