/** The official SDK through the bridge that is named: stdio in front of HTTP, or HTTP in front of stdio. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { steps } from "./official.mjs";
import { program } from "./program.mjs";
import { args, command, options, run, url } from "./steps.mjs";

const [bridge] = options;
const quoted = [command, ...args].join(" "); // neither has a space in it
/** The arguments of each, by what is behind it: an address, or a command that it starts. */
const BRIDGES = {
  "mcp-remote": { http: [url] },
  supergateway: {
    http: ["--streamableHttp", url, "--outputTransport", "stdio"],
    stdio: ["--stateful", "--outputTransport", "streamableHttp", "--stdio", quoted],
  },
  "mcp-proxy": { stdio: ["--server", "stream", "--", command, ...args] },
};
const client = new Client({ name: "sdk", version: "1.0.0" });

await run({
  connect: async () => {
    const transport = url ? behindStdio() : await behindHttp();
    await client.connect(transport);
    return transport.protocolVersion;
  },
  ...steps(client),
});

function behindStdio() {
  const [node, ...rest] = program(bridge, ...BRIDGES[bridge].http);
  return new StdioClientTransport({ command: node, args: rest });
}

async function behindHttp() {
  const port = await freePort();
  const [node, ...rest] = program(bridge, "--port", port, ...BRIDGES[bridge].stdio);
  const preload = ["--import", new URL("loopback.mjs", import.meta.url).href];
  const served = spawn(node, [...preload, ...rest], { stdio: ["ignore", 2, 2] });
  process.on("exit", () => served.kill());
  await listening(port);
  return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return String(port);
}

/** Until something answers there, whatever it answers. */
async function listening(port) {
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await wait(100);
}
