/** The coding agent that is named: without a model it tells whether it connects, and no more. */

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { printed } from "./program.mjs";
import { args, command, entry, options, run, url } from "./steps.mjs";

const [agent] = options;
const platform = `${process.platform}-${process.arch}`;
const geminis = {
  mcpServers: { sources: url ? { httpUrl: url } : entry },
  security: { folderTrust: { enabled: false } }, // else it does not connect in a folder that it does not know
};
const AGENTS = {
  gemini: { file: ".gemini/settings.json", settings: geminis },
  qwen: { file: ".qwen/settings.json", settings: geminis },
  claude: {
    file: ".claude.json",
    settings: { mcpServers: { sources: { type: url ? "http" : "stdio", ...entry } } },
    binary: `@anthropic-ai/claude-code-${platform}/claude`,
  },
  opencode: {
    file: ".config/opencode/opencode.json",
    settings: {
      mcp: { sources: url ? { type: "remote", url } : { type: "local", command: [command, ...args] } },
    },
    binary: `opencode-${platform}/bin/opencode`,
  },
};

await run({
  connect: async () => {
    const { file, settings, binary } = AGENTS[agent];
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings));
    const list = await printed(binary ?? agent, "mcp", "list");
    if (!/sources.*(?<!dis)connected/i.test(list)) throw new Error(list.trim());
    return undefined; // none of them tells
  },
});
