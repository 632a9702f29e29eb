/** The steps that every driver takes with its client, each reported in one line of JSON on stdout. */

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

export const QUERY = { query: "learning rust" };
export const WRONG = { query: 5 };
export const RUST = "registry://categories/rust-learning";
export const TOPIC = { topic: "rust" };

/** What the AI SDK hands to a tool beside its arguments. */
export const CALLED = { toolCallId: "1", messages: [] };

const STEPS = ["connect", "tools", "call", "unknown", "resources", "read", "prompts", "prompt", "close"];
const PATIENCE_MS = 20_000;

const transportAt = process.argv.findIndex((argument) => argument === "http" || argument === "stdio");
const [transport, ...server] = process.argv.slice(transportAt);

/** The driver's own arguments, which come before the transport. */
export const options = process.argv.slice(2, transportAt);
/** The server's address, undefined over stdio; the command that starts it, undefined over HTTP. */
export const url = transport === "http" ? server[0] : undefined;
export const [command, ...args] = transport === "stdio" ? server : [];
/** The same as the entry of a client's configuration, in the form that most of them have. */
export const entry = url ? { url } : { command, args };

/** Take the steps that `client` has a function for. Without a connection the others are not tried. */
export async function run(client) {
  process.stdout.write = process.stderr.write.bind(process.stderr); // stdout is for the steps alone
  for (const step of STEPS) {
    const outcome = await outcomeOf(step, client[step]);
    writeSync(1, `${JSON.stringify({ step, ...outcome })}\n`);
    if (step === "connect" && outcome.error) break;
  }
  process.exit();
}

/** The texts of a result's content blocks, embedded resources included. */
export function texts(content) {
  return content.map((block) => block.text ?? block.resource?.text).filter((text) => text !== undefined);
}

/** What the steps `call` and `unknown` show of a tool's result. */
export function shown({ content, structuredContent, isError }) {
  return { text: texts(content ?? []), structured: structuredContent, isError };
}

async function outcomeOf(step, work) {
  if (work === undefined) return { absent: true };
  try {
    return { found: found(step, await Promise.race([work(), lateness()])) };
  } catch (error) {
    const told = `${error?.constructor?.name ?? typeof error}: ${error?.message ?? error}`;
    return step === "unknown" && !(error instanceof Late) ? { found: told } : { error: told };
  }
}

class Late extends Error {}

/** The step `unknown` shows whatever the client makes of the error as a string, thrown or returned. */
function found(step, value) {
  if (step === "close") return true;
  return step === "unknown" && typeof value !== "string" ? JSON.stringify(value) : (value ?? null);
}

async function lateness() {
  await wait(PATIENCE_MS);
  throw new Late(`no answer in ${PATIENCE_MS / 1000} seconds`);
}
