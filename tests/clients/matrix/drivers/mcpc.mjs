/** Apify's command line: a session that a process of its own keeps in the background. */

import { writeFile } from "node:fs/promises";

import { printed } from "./program.mjs";
import { QUERY, RUST, TOPIC, WRONG, entry, run, shown, texts, url } from "./steps.mjs";

const CONFIGURATION = "mcpc.json";
const mcpc = async (...rest) => JSON.parse(await printed("mcpc", ...rest, "--json"));

await run({
  connect: async () => {
    await writeFile(CONFIGURATION, JSON.stringify({ mcpServers: { sources: entry } }));
    return (await mcpc("connect", url ?? `${CONFIGURATION}:sources`, "@sources")).protocolVersion;
  },
  tools: async () => (await mcpc("@sources", "tools-list")).map(({ name }) => name),
  call: async () => shown(await mcpc("@sources", "tools-call", "get_sources", JSON.stringify(QUERY))),
  unknown: () => printed("mcpc", "@sources", "tools-call", "get_sources", JSON.stringify(WRONG)),
  resources: async () => (await mcpc("@sources", "resources-list")).map(({ uri }) => uri),
  read: async () => (await mcpc("@sources", "resources-read", RUST)).contents[0].text,
  prompts: async () => (await mcpc("@sources", "prompts-list")).map(({ name }) => name),
  prompt: async () => {
    const { messages } = await mcpc("@sources", "prompts-get", "research_topic", JSON.stringify(TOPIC));
    return texts(messages.map(({ content }) => content));
  },
  close: () => mcpc("close", "@sources"),
});
