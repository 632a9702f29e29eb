/** What goes over the wire: a `fetch` that records exchanges, and their summary. */

const PLAIN = new Set(["accept", "mcp-protocol-version", "mcp-method", "mcp-name"]);
// They differ in each run: the summary says only that they are there.
const CHANGING = new Set(["last-event-id", "mcp-session-id"]);

/** A `fetch`, the exchanges that went over it so far, and a wait for those that are not answered yet. */
export function recorder() {
  const exchanges = [];
  return {
    exchanges,
    fetch: (url, options = {}) => remember(exchanges, url, options),
    settled: () => Promise.allSettled(exchanges.map(({ answered }) => answered)),
  };
}

async function remember(exchanges, url, options) {
  const headers = new Headers(options.headers);
  const answered = fetch(url, options);
  const exchange = { message: message(options, headers), headers, answered, status: "unanswered" };
  exchanges.push(exchange);
  const response = await answered;
  exchange.status = response.status;
  return response;
}

function message({ method = "GET", body }, headers) {
  if (method === "GET") return headers.has("last-event-id") ? "resume" : "listen";
  if (method === "DELETE") return "end";
  return JSON.parse(body).method ?? "answer";
}

/** "message → status" for each exchange. How often a stream is polled depends on the machine, so it is listed once. */
export function summary(exchanges) {
  const lines = exchanges.map(({ message, status }) => `${message} → ${status}`);
  return lines.filter((line, place) => !(line.startsWith("resume") && line === lines[place - 1]));
}

/** The protocol's headers of each exchange. */
export function headersTold(exchanges) {
  return exchanges.map(({ message, headers }) => [message, protocolHeaders(headers)]);
}

function protocolHeaders(headers) {
  const ours = [...headers].filter(([name]) => PLAIN.has(name) || CHANGING.has(name) || name.startsWith("mcp-param-"));
  return Object.fromEntries(ours.map(([name, value]) => [name, CHANGING.has(name) ? "…" : value]));
}
