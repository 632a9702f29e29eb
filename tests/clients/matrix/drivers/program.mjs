/** The programs of the installed packages. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The command line of the program `name` with `args`: its file is beside this one, in `node_modules`. */
export function program(name, ...args) {
  return [process.execPath, fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url)), ...args];
}

/** What the program prints. It fails with what it has to say about its failure. */
export async function printed(name, ...args) {
  const [node, ...rest] = program(name, ...args);
  const running = promisify(execFile)(node, rest, { maxBuffer: 2 ** 26 });
  running.child.stdin.end();
  try {
    return (await running).stdout;
  } catch ({ code, stdout, stderr }) {
    throw new Error(`${name} ended with ${code}: ${[stderr, stdout].join("\n").trim()}`);
  }
}
