/** The official SDK of the first line. It knows the handshake only. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const SCHEMAS = {
  elicitation: ElicitRequestSchema,
  sampling: CreateMessageRequestSchema,
  roots: ListRootsRequestSchema,
};

/** A client that is connected to `url` and answers by `answer`. */
export async function connect(url, { capabilities, answer, fetch, logged }) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch });
  const client = new Client({ name: "sdk-v1", version: "1.0.0" }, { capabilities });
  for (const capability of Object.keys(capabilities)) {
    client.setRequestHandler(SCHEMAS[capability], ({ method, params }) => answer(method, params));
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logged.push(params));
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, transport, call, version: transport.protocolVersion };
}
