/** The official SDK, version 1. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { steps } from "./official.mjs";
import { args, command, run, url } from "./steps.mjs";

const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command, args });
const client = new Client({ name: "sdk", version: "1.0.0" });

await run({
  connect: async () => {
    await client.connect(transport);
    return transport.protocolVersion;
  },
  ...steps(client),
});
