/** The Inspector's command line, which connects for every call; from version 2 in the era that is named. */

import { printed } from "./program.mjs";
import { QUERY, RUST, TOPIC, args, command, options, run, shown, texts, url } from "./steps.mjs";

const target = url ? [url, "--transport", "http"] : [command, ...args];
const era = options.length ? ["--protocol-era", ...options, "--format", "json"] : [];

await run({
  connect: async () => {
    const result = await method(era.length ? "initialize" : "tools/list");
    return result.protocolVersion; // before version 2 it does not tell
  },
  tools: async () => (await method("tools/list")).tools.map(({ name }) => name),
  call: async () => shown(await call(`query=${QUERY.query}`)),
  unknown: async () => shown(await call("wrong=5")),
  resources: async () => (await method("resources/list")).resources.map(({ uri }) => uri),
  read: async () => (await method("resources/read", "--uri", RUST)).contents[0].text,
  prompts: async () => (await method("prompts/list")).prompts.map(({ name }) => name),
  prompt: async () => {
    const research = ["--prompt-name", "research_topic", "--prompt-args", `topic=${TOPIC.topic}`];
    return texts((await method("prompts/get", ...research)).messages.map(({ content }) => content));
  },
});

/** The result that it prints: alone before version 2, as a member since. */
async function method(name, ...rest) {
  const output = await printed("mcp-inspector", "--cli", ...target, ...era, "--method", name, ...rest);
  const document = JSON.parse(output);
  return document.result ?? document;
}

function call(argument) {
  return method("tools/call", "--tool-name", "get_sources", "--tool-arg", argument);
}
