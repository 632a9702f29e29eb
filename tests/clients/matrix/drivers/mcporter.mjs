/** mcporter's command line, which connects for every call: tools and resources of configured servers. */

import { writeFile } from "node:fs/promises";

import { printed } from "./program.mjs";
import { QUERY, RUST, WRONG, entry, run } from "./steps.mjs";

const CONFIGURATION = "mcporter.json";
const list = async () => JSON.parse(await mcporter("list", "sources", "--json"));
const resources = async () => JSON.parse(await mcporter("resource", "sources", "--json")).resources;

await run({
  connect: async () => {
    await writeFile(CONFIGURATION, JSON.stringify({ mcpServers: { sources: entry }, imports: [] }));
    const { status, error } = await list();
    if (status !== "ok") throw new Error(error ?? status);
    return undefined; // it does not tell
  },
  tools: async () => (await list()).tools.map(({ name }) => name),
  call: async () => JSON.parse(await call(QUERY)),
  unknown: () => call(WRONG),
  resources: async () => (await resources()).map(({ uri }) => uri),
  read: () => mcporter("resource", "sources", RUST),
});

function mcporter(...rest) {
  return printed("mcporter", "--config", CONFIGURATION, ...rest);
}

function call(query) {
  return mcporter("call", "sources.get_sources", "--args", JSON.stringify(query), "--output", "json");
}
