/** Codex, whose client is rmcp (Rust): its app server lists, calls and reads without a model. */

import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { program } from "./program.mjs";
import { QUERY, RUST, WRONG, entry, run, shown } from "./steps.mjs";

/** No model is asked, but it would look for one on the network. */
const NO_MODEL = `model_provider = "none"
[model_providers.none]
name = "none"
base_url = "http://127.0.0.1:9"
`;

let codex;
let status;
let threadId;
const call = (query) =>
  asked("mcpServer/tool/call", { server: "sources", threadId, tool: "get_sources", arguments: query });

await run({
  connect: async () => {
    await mkdir(".codex");
    const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    await writeFile(".codex/config.toml", `${NO_MODEL}[mcp_servers.sources]\n${lines.join("")}`);
    const [node, ...rest] = program("codex", "app-server");
    codex = spawn(node, rest, { stdio: ["pipe", "pipe", 2] });
    await asked("initialize", { clientInfo: { name: "matrix", version: "1.0.0" } });
    threadId = (await asked("thread/start", {})).thread.id;
    [status] = (await asked("mcpServerStatus/list", { serverName: "sources", threadId })).data;
    if (!Object.keys(status.tools).length) throw new Error("no connection, no tools");
    return undefined; // it does not tell
  },
  tools: () => Object.keys(status.tools),
  call: async () => shown(await call(QUERY)),
  unknown: async () => shown(await call(WRONG)),
  resources: () => status.resources.map(({ uri }) => uri),
  read: async () => {
    const { contents } = await asked("mcpServer/resource/read", { server: "sources", threadId, uri: RUST });
    return contents[0].text;
  },
  close: () => codex.kill(),
});

/** What the app server answers: a line of JSON for each, without `jsonrpc`. */
async function asked(method, params) {
  codex.stdin.write(`${JSON.stringify({ id: method, method, params })}\n`);
  for await (const line of createInterface(codex.stdout)) {
    const { id, result, error } = JSON.parse(line);
    if (id === method && error) throw new Error(error.message);
    if (id === method) return result;
  }
  throw new Error("codex has ended");
}
