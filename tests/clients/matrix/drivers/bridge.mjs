/** The official SDK through a bridge, named first: stdio in front of our HTTP, or HTTP in front of our stdio. */

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
const BRIDGES = {
  "mcp-remote": { http: [url, "--allow-http"] },
  supergateway: {
    http: ["--streamableHttp", url, "--outputTransport", "stdio"],
    stdio: (port) => ["--stdio", quoted, "--outputTransport", "streamableHttp", "--stateful", "--port", port],
  },
  "mcp-proxy": { stdio: (port) => ["--port", port, "--server", "stream", "--", command, ...args] },
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
  const [node, ...rest] = program(bridge, ...BRIDGES[bridge].stdio(port));
  const served = spawn(node, ["--import", new URL("loopback.mjs", import.meta.url).href, ...rest], { stdio: ["ignore", 2, 2] });
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
