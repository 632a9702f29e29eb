/**
 * `node signing_in.mjs CLIENT URL PLAN`: a client signs in and calls tools; one JSON document tells what came of it.
 *
 * PLAN is JSON: `calls` are the params of each tools/call, in order. If one has `expired`, an access token, the client's
 * own is replaced by it before the call. `metadataUrl` is where the client's metadata document is, if it has one.
 * `forgetful` applications keep no refresh token.
 */

import * as v2 from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const NAMED = { name: "signing-in", version: "1.0.0" };
const LINES = {
  "sdk-v1": {
    Client,
    Transport: StreamableHTTPClientTransport,
    UnauthorizedError,
    answer: (returned) => returned.get("code"),
  },
  "client-v2": {
    Client: v2.Client,
    Transport: v2.StreamableHTTPClientTransport,
    UnauthorizedError: v2.UnauthorizedError,
    answer: (returned) => returned, // it checks the issuer itself
  },
};

/** What the application around a client keeps for it. Its user consents to everything. */
class Application {
  redirectUrl = "http://127.0.0.1:9/callback"; // nobody listens: the redirect is read, not followed
  clientMetadata = {
    client_name: "signing-in",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  };

  constructor({ metadataUrl, forgetful }) {
    this.clientMetadataUrl = metadataUrl;
    this.forgetful = forgetful;
  }

  state = () => (this.sent = crypto.randomUUID());
  clientInformation = () => this.registered;
  saveClientInformation = (information) => void (this.registered = information);
  tokens = () => this.kept;
  saveTokens = ({ refresh_token, ...tokens }) =>
    void (this.kept = this.forgetful ? tokens : { ...tokens, refresh_token });
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  discoveryState = () => this.discovered;
  saveDiscoveryState = (state) => void (this.discovered = state);

  async redirectToAuthorization(url) {
    const response = await fetch(url, { redirect: "manual" });
    this.returned = new URL(response.headers.get("location")).searchParams;
    if (this.returned.get("state") !== this.sent) throw new Error(`sent back with ${this.returned}`);
  }
}

const [name, url, given] = process.argv.slice(2);
const plan = JSON.parse(given);
const { Client: LineClient, Transport, UnauthorizedError: Unauthorized, answer } = LINES[name];
const application = new Application(plan);
const exchanges = [];

async function recorded(input, options = {}) {
  const response = await fetch(input, options);
  const line = `${said(new URL(input).pathname, options)} → ${response.status}`;
  if (options.method !== "GET" || !line.endsWith("405")) exchanges.push(line); // a stream is asked for at any time
  return response;
}

function said(path, { method = "GET", body }) {
  if (path === "/token") return `${path} ${new URLSearchParams(body).get("grant_type")}`;
  if (path.endsWith("/mcp") && method === "POST") return JSON.parse(body).method;
  return `${method} ${path}`;
}

/** Do it; if the client has sent its user to sign in, finish that over `transport`, and do `again`. */
async function signedIn(transport, action, again = action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error;
    await transport.finishAuth(answer(application.returned));
    return again();
  }
}

function opened() {
  const client = new LineClient(NAMED, { versionNegotiation: { mode: "auto" } }); // the first line reads no such option
  return { client, transport: new Transport(new URL(url), { authProvider: application, fetch: recorded }) };
}

async function connect(opening = opened()) {
  await opening.client.connect(opening.transport);
  return opening;
}

const first = opened();
const { client, transport } = await signedIn(first.transport, () => connect(first), connect);
const results = [];
for (const { expired, ...params } of plan.calls) {
  if (expired) application.kept.access_token = expired;
  const { content } = await signedIn(transport, () => client.callTool(params));
  results.push([content[0].text, application.kept.scope]);
}
await client.close();
console.log(JSON.stringify({ clientId: application.registered.client_id, results, exchanges }));
