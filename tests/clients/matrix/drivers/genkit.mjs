/** Genkit's plugin: tools, resources and prompts become Genkit's own actions. */

import { createMcpClient } from "@genkit-ai/mcp";
import { genkit } from "genkit";

import { QUERY, RUST, TOPIC, WRONG, entry, run, texts } from "./steps.mjs";

const ai = genkit({});
let client;
const uri = ({ __action }) => __action.metadata.resource.uri; // none for a template
const call = async (query) => {
  const tools = await client.getActiveTools(ai);
  return tools.find(({ __action }) => __action.name.endsWith("get_sources"))(query);
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
  resources: async () => (await client.getActiveResources(ai)).map(uri).filter(Boolean),
  read: async () => {
    const rust = (await client.getActiveResources(ai)).find((resource) => uri(resource) === RUST);
    return (await rust({ uri: RUST })).content[0].text;
  },
  prompts: async () => (await client.getActivePrompts(ai)).map(({ ref }) => ref.name.split(":").pop()),
  prompt: async () => {
    const research = await client.getPrompt(ai, "research_topic");
    return texts((await research.render(TOPIC)).messages.flatMap(({ content }) => content));
  },
  close: () => client.disable(),
});
