/** The steps with a connected `Client` of the official SDK, either version. */

import { QUERY, RUST, TOPIC, WRONG, shown, texts } from "./steps.mjs";

export function steps(client) {
  const call = async (query) => shown(await client.callTool({ name: "get_sources", arguments: query }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: () => call(QUERY),
    unknown: () => call(WRONG),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async () => (await client.readResource({ uri: RUST })).contents[0].text,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async () => {
      const { messages } = await client.getPrompt({ name: "research_topic", arguments: TOPIC });
      return texts(messages.map(({ content }) => content));
    },
    close: () => client.close(),
  };
}
