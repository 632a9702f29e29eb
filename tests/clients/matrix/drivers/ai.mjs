/** The AI SDK's client before it was a package: tools only, and the official SDK's transport over HTTP. */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { experimental_createMCPClient } from "ai";
import { Experimental_StdioMCPTransport } from "ai/mcp-stdio";

import { CALLED, QUERY, WRONG, args, command, run, shown, url } from "./steps.mjs";

const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new Experimental_StdioMCPTransport({ command, args });
let client;
let tools;

await run({
  connect: async () => {
    client = await experimental_createMCPClient({ transport });
    return transport.protocolVersion;
  },
  tools: async () => Object.keys((tools = await client.tools())),
  call: async () => shown(await tools.get_sources.execute(QUERY, CALLED)),
  unknown: async () => shown(await tools.get_sources.execute(WRONG, CALLED)),
  close: () => client.close(),
});
