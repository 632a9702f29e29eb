/** Genkit's plugin: tools, resources and prompts become Genkit's own actions. */

import { createMcpClient } from "@genkit-ai/mcp";
import { genkit } from "genkit";

import { QUERY, RUST, TOPIC, WRONG, entry, run, texts } from "./steps.mjs";

const ai = genkit({});
let client;
const call = async (query) => {
  const tool = (await client.getActiveTools(ai)).find(({ __action }) => __action.name.endsWith("get_sources"));
  return tool(query);
};

await run({
  connect: async () => {
    client = createMcpClient({ name: "matrix", serverName: "sources", mcpServer: entry });
    await client.ready();
    return undefined; // it does not tell
  },
  tools: async () => (await client.getActiveTools(ai)).map(({ __action }) => __action.name.split("/").pop()),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: async () =>
    (await client.getActiveResources(ai)).map(({ __action }) => __action.metadata.resource.uri),
  read: async () => {
    const resources = await client.getActiveResources(ai);
    const rust = resources.find(({ __action }) => __action.metadata.resource.uri === RUST);
    return (await rust({ uri: RUST })).content[0].text;
  },
  prompts: async () => (await client.getActivePrompts(ai)).map(({ ref }) => ref.name.split(":").pop()),
  prompt: async () => {
    const research = await client.getPrompt(ai, "research_topic");
    return texts((await research.render(TOPIC)).messages.flatMap(({ content }) => content));
  },
  close: () => client.disable(),
});
