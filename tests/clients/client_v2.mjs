/** The official client of the second line, in the era that the caller names. */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const METHODS = {
  elicitation: "elicitation/create",
  sampling: "sampling/createMessage",
  roots: "roots/list",
};

/** A `connect` whose clients negotiate in this mode. */
export function negotiating(mode) {
  return (url, options) => connect(url, mode, options);
}

async function connect(url, mode, { capabilities, answer, fetch, logged }) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch });
  const client = new Client(
    { name: "client-v2", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode } },
  );
  for (const capability of Object.keys(capabilities)) {
    client.setRequestHandler(METHODS[capability], ({ method, params }) => answer(method, params));
  }
  client.setNotificationHandler("notifications/message", ({ params }) => logged.push(params));
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, options);
  return { client, transport, call, version: client.getNegotiatedProtocolVersion() };
}
