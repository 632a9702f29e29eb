/** The programs of the installed packages. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The command line of the program `name`, which may be the path of a binary in `node_modules`. */
export function program(name, ...args) {
  const path = (place) => fileURLToPath(new URL(`../node_modules/${place}`, import.meta.url));
  return name.includes("/") ? [path(name), ...args] : [process.execPath, path(`.bin/${name}`), ...args];
}

/** What the program prints, on stderr if nothing on stdout; all of it is the error of one that fails. */
export async function printed(name, ...args) {
  const [file, ...rest] = program(name, ...args);
  const running = promisify(execFile)(file, rest, { maxBuffer: 2 ** 26 });
  running.child.stdin.end();
  try {
    const { stdout, stderr } = await running;
    return stdout || stderr;
  } catch ({ code, stdout, stderr }) {
    throw new Error(`${name} ended with ${code}: ${[stderr, stdout].join("\n").trim()}`);
  }
}
