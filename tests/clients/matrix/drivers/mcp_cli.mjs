/** wong2's command line without its menus, which it has over stdio only: it lists nothing. */

import { writeFile } from "node:fs/promises";

import { printed } from "./program.mjs";
import { QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts } from "./steps.mjs";

const CONFIGURATION = "mcp-cli.json";

await run({
  connect: async () => {
    await writeFile(CONFIGURATION, JSON.stringify({ mcpServers: { sources: entry } }));
    await call(QUERY);
    return undefined; // it does not tell
  },
  call: async () => shown(await call(QUERY)),
  unknown: async () => shown(await call(WRONG)),
  read: async () => (await mcpCli("read-resource", `sources:${RUST}`)).contents[0].text,
  prompt: async () => {
    const research = ["sources:research_topic", "--args", JSON.stringify(TOPIC)];
    return texts((await mcpCli("get-prompt", ...research)).messages.map(({ content }) => content));
  },
});

function call(query) {
  return mcpCli("call-tool", "sources:get_sources", "--args", JSON.stringify(query));
}

async function mcpCli(...rest) {
  return JSON.parse(await printed("mcp-cli", "--config", CONFIGURATION, ...rest));
}
