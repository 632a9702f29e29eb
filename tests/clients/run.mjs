/** `node run.mjs CLIENT SCENARIO URL [TEMPER] [CAPABILITY,…]`: one client, one scenario, one JSON document. */

import { negotiating } from "./client_v2.mjs";
import { person } from "./person.mjs";
import { SCENARIOS } from "./scenarios.mjs";
import { connect as sdkV1 } from "./sdk_v1.mjs";
import { recorder, summary } from "./wire.mjs";

const CLIENTS = {
  "sdk-v1": sdkV1,
  "client-v2-legacy": negotiating("legacy"),
  "client-v2-auto": negotiating("auto"),
  "client-v2-pinned": negotiating({ pin: "2026-07-28" }),
};
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const [name, scenario, url, temper = "willing", declared = "elicitation,sampling,roots"] = process.argv.slice(2);
const capabilities = Object.fromEntries(
  Object.entries(CAPABILITIES).filter(([capability]) => declared.split(",").includes(capability)),
);
const { questions, answer } = person(temper);
const { exchanges, fetch, settled } = recorder();
const logged = [];

const meeting = await CLIENTS[name](url, { capabilities, answer, fetch, logged });
const found = await SCENARIOS[scenario]({ ...meeting, url, questions, logged, exchanges });
await settled();
await meeting.transport.terminateSession().catch(() => {}); // one that has ended already cannot be ended
await meeting.client.close();
console.log(JSON.stringify({ ...found, exchanges: summary(exchanges) }));
