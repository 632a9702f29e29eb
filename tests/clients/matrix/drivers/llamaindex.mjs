/** LlamaIndex's tools: no resources and prompts. */

import { mcp } from "@llamaindex/tools";

import { QUERY, WRONG, entry, run } from "./steps.mjs";

const client = mcp(entry);
const call = async (query) => {
  const tool = (await client.tools()).find(({ metadata }) => metadata.name === "get_sources");
  return tool.call(query);
};

await run({
  connect: () => client.connectToSever(),
  tools: async () => (await client.tools()).map(({ metadata }) => metadata.name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  close: () => client.cleanup(),
});
