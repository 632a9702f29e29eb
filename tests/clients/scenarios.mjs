/** What a client does in each scenario, and what comes of it. None of them knows which SDK it drives. */

import { setTimeout as wait } from "node:timers/promises";

import { headersTold } from "./wire.mjs";

const RUST = "registry://categories/rust-learning";
const CATEGORY = { type: "ref/resource", uri: "registry://categories/{slug}" };
const RESEARCH = { type: "ref/prompt", name: "research_topic" };
const ASKED_ONCE = { name: "test_elicitation", arguments: { message: "Who are you?" } };
const ASKING = [
  ASKED_ONCE,
  { name: "test_sampling", arguments: { prompt: "Which city?" } },
  { name: "test_elicitation_url" },
  { name: "test_input_required_result_multiple_inputs" },
  { name: "test_input_required_result_multi_round" },
];

/** Agree on a version, and learn who the server is. */
async function meet({ client, version }) {
  const { name, title } = client.getServerVersion();
  return { version, server: [name, title], capabilities: client.getServerCapabilities() };
}

/** Walk every list to its end. */
async function list({ client }) {
  const tools = await every((page) => client.listTools(page), "tools");
  const prompts = await every((page) => client.listPrompts(page), "prompts");
  const templates = await every((page) => client.listResourceTemplates(page), "resourceTemplates");
  const resources = await every((page) => client.listResources(page), "resources");
  return {
    tools: tools.map(({ name }) => name),
    prompts: prompts.map(({ name }) => name),
    templates: templates.map(({ uriTemplate }) => uriTemplate),
    resources: resources.map(({ uri }) => uri),
  };
}

/** Read a resource twice, and one that is not there. */
async function read({ client }) {
  const category = await client.readResource({ uri: RUST });
  await client.readResource({ uri: RUST });
  return {
    category: category.contents,
    missing: await outcome(client.readResource({ uri: "registry://categories/none" })),
  };
}

/** Get a prompt, with and without what it needs. */
async function prompt({ client }) {
  const research = await client.getPrompt({ name: "research_topic", arguments: { topic: "rust" } });
  return { research: research.messages, bare: await outcome(client.getPrompt({ name: "research_topic" })) };
}

/** Have a variable of a template and an argument of a prompt completed. */
async function complete({ client }) {
  const slug = await client.complete({ ref: CATEGORY, argument: { name: "slug", value: "rust" } });
  const topic = await client.complete({ ref: RESEARCH, argument: { name: "topic", value: "rust" } });
  return { slug: slug.completion, topic: topic.completion };
}

/** Call a tool well and with wrong arguments, and one that is not there. Results are checked against the schema. */
async function call({ client, call }) {
  await client.listTools();
  const { content, structuredContent } = await call({ name: "get_sources", arguments: { query: "learning rust" } });
  const wrong = await call({ name: "get_sources", arguments: { query: 5 } });
  return {
    content,
    structured: structuredContent,
    wrong: [wrong.isError, text(wrong)],
    unknown: await outcome(call({ name: "get_everything" })),
  };
}

/** Call once, and tell what was said beside the messages. */
async function headers({ call, exchanges }) {
  await call({ name: "test_simple_text" });
  return { headers: Object.fromEntries(headersTold(exchanges)) };
}

/** Call a tool that wants an argument repeated in a header, without having listed the tools. */
async function mirror({ call, exchanges }) {
  const result = await call({ name: "test_x_mcp_header", arguments: { region: "Zürich" } });
  const calls = headersTold(exchanges).filter(([message]) => message === "tools/call");
  return { text: text(result), repeated: calls.map(([, headers]) => headers["mcp-param-region"] ?? null) };
}

/** Receive progress and log messages of a tool. */
async function hear({ client, call, version, logged }) {
  const progress = [];
  await call({ name: "test_tool_with_progress" }, { onprogress: (step) => progress.push(step) });
  await call({ name: "test_tool_with_logging", ...(await listening(client, version)) });
  return { progress, logged };
}

async function listening(client, version) {
  if (modern(version)) return { _meta: { "io.modelcontextprotocol/logLevel": "debug" } };
  await client.setLoggingLevel("debug");
  return {};
}

/** Be asked in every way: one question, several at once, one after the other, for a prompt. */
async function ask({ client, call, questions }) {
  const texts = [];
  for (const params of ASKING) texts.push(text(await call(params)));
  const { messages } = await client.getPrompt({ name: "test_input_required_result_prompt" });
  return { texts, prompt: messages, questions };
}

/** Be asked once. */
async function once({ call, questions }) {
  const result = await outcome(call(ASKED_ONCE));
  return { result: result.error ? result : [result.isError, text(result)], questions: questions.length };
}

/** Be asked by several calls at the same time. */
async function together({ call }) {
  const prompts = ["Which city?", "Which river?", "Which mountain?"];
  const results = prompts.map((prompt) => call({ name: "test_sampling", arguments: { prompt } }));
  return { texts: (await Promise.all(results)).map(text) };
}

/** Give a call less time than the person takes, and call again; after a timeout, wait for the person's late answer. */
async function hurry({ call }) {
  const result = await outcome(call(ASKED_ONCE, { timeout: 1500 }));
  const after = await call({ name: "test_simple_text" });
  if (result.error) await wait(2500);
  return { result: result.error ? result : text(result), after: text(after) };
}

/** Want to hear of changes, as each era has it. */
async function subscribe({ client, version }) {
  if (modern(version)) return { listening: await outcome(client.listen({ resourcesListChanged: true })) };
  const watched = { uri: "test://watched-resource" };
  return {
    subscribed: await outcome(client.subscribeResource(watched)),
    unsubscribed: await outcome(client.unsubscribeResource(watched)),
  };
}

/** Call when the session has been ended by somebody else. */
async function lose({ url, call, transport }) {
  const { sessionId } = transport;
  await fetch(url, { method: "DELETE", headers: { "mcp-session-id": sessionId } });
  return { result: await outcome(call({ name: "test_simple_text" })), kept: transport.sessionId === sessionId };
}

export const SCENARIOS = {
  meet,
  list,
  read,
  prompt,
  complete,
  call,
  headers,
  mirror,
  hear,
  ask,
  once,
  together,
  hurry,
  subscribe,
  lose,
};

/** How it ended: what the promise gives, or the error's code, message and data. */
async function outcome(promise) {
  try {
    return await promise;
  } catch ({ code, message, data }) {
    return { error: { code, message, ...(data && { data }) } };
  }
}

async function every(page, member) {
  const items = [];
  let cursor;
  do {
    const { [member]: more, nextCursor } = await page(cursor && { cursor });
    items.push(...more);
    cursor = nextCursor;
  } while (cursor);
  return items;
}

function modern(version) {
  return version >= "2026";
}

function text({ content }) {
  return content.map((block) => block.text).join("\n");
}
