/** Preloaded into a bridge, which listens on every interface by default: it listens on loopback only. */

import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), "127.0.0.1", ...rest.filter((each) => typeof each === "function"));
};
