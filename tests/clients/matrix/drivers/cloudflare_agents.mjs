/** Cloudflare's Agents while their client ran outside of a Durable Object: HTTP only, lists at connecting. */

import { MCPClientManager } from "agents/mcp/client";

import { QUERY, RUST, TOPIC, WRONG, run, shown, texts, url } from "./steps.mjs";

const manager = new MCPClientManager("matrix", "1.0.0");
let serverId;
const call = async (query) =>
  shown(await manager.callTool({ serverId, name: "get_sources", arguments: query }));

await run({
  connect: async () => {
    serverId = (await manager.connect(url)).id;
    const { connectionState } = manager.mcpConnections[serverId];
    if (connectionState !== "ready") throw new Error(connectionState);
    return undefined; // it does not tell
  },
  tools: () => manager.listTools().map(({ name }) => name),
  call: () => call(QUERY),
  unknown: () => call(WRONG),
  resources: () => manager.listResources().map(({ uri }) => uri),
  read: async () => (await manager.readResource({ serverId, uri: RUST })).contents[0].text,
  prompts: () => manager.listPrompts().map(({ name }) => name),
  prompt: async () => {
    const research = { serverId, name: "research_topic", arguments: TOPIC };
    return texts((await manager.getPrompt(research)).messages.map(({ content }) => content));
  },
  close: () => manager.closeAllConnections(),
});
