/** wong2's command line without its menus, which it has over stdio only: it calls, reads and gets, and lists nothing. */

import { writeFile } from "node:fs/promises";

import { printed } from "./program.mjs";
import { QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts } from "./steps.mjs";

const CONFIGURATION = "mcp-cli.json";

await run({
  connect: async () => {
    await writeFile(CONFIGURATION, JSON.stringify({ mcpServers: { sources: entry } }));
    await read();
    return undefined; // it does not tell
  },
  call: async () => shown(await mcpCli("call-tool", "sources:get_sources", "--args", JSON.stringify(QUERY))),
  unknown: async () => shown(await mcpCli("call-tool", "sources:get_sources", "--args", JSON.stringify(WRONG))),
  read: async () => (await read()).contents[0].text,
  prompt: async () => {
    const research = ["sources:research_topic", "--args", JSON.stringify(TOPIC)];
    return texts((await mcpCli("get-prompt", ...research)).messages.map(({ content }) => content));
  },
});

function read() {
  return mcpCli("read-resource", `sources:${RUST}`);
}

async function mcpCli(...rest) {
  return JSON.parse(await printed("mcp-cli", "--config", CONFIGURATION, ...rest));
}
