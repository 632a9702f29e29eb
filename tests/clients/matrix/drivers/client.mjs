/** The official SDK, version 2: `legacy` (handshake), `auto` (it asks the server) or `pinned` (stateless). */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { steps } from "./official.mjs";
import { args, command, options, run, url } from "./steps.mjs";

const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command, args });
const mode = options[0] === "pinned" ? { pin: "2026-07-28" } : options[0];
const client = new Client({ name: "client", version: "2.0.0" }, { versionNegotiation: { mode } });

await run({
  connect: async () => {
    await client.connect(transport);
    return client.getNegotiatedProtocolVersion();
  },
  ...steps(client),
});
