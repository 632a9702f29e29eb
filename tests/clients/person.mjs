/** The person and the model behind a client: what they answer, and what they were asked. */

import { setTimeout as wait } from "node:timers/promises";

const FORM = {
  username: "ada",
  email: "ada@example.com",
  name: "Ada",
  color: "blue",
  context: "a library",
};
const ROOTS = { roots: [{ uri: "file:///home/ada/engine", name: "engine" }] };

const TEMPERS = {
  willing: (method, params) => ANSWERS[method](params),
  thoughtful: (method, params) => later(1500, method, params),
  slow: (method, params) => later(3000, method, params),
  declining: () => ({ action: "decline" }),
  cancelling: () => ({ action: "cancel" }),
  failing: () => {
    throw new Error("Nobody is here");
  },
};

const ANSWERS = {
  "elicitation/create": ({ requestedSchema }) =>
    requestedSchema ? { action: "accept", content: filled(requestedSchema) } : { action: "accept" },
  "sampling/createMessage": ({ messages }) => ({
    role: "assistant",
    model: "a-model",
    stopReason: "endTurn",
    content: { type: "text", text: `You asked: ${messages[0].content.text}` },
  }),
  "roots/list": () => ROOTS,
};

async function later(milliseconds, method, params) {
  await wait(milliseconds);
  return ANSWERS[method](params);
}

function filled({ properties }) {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, FORM[name]]));
}

/** Somebody of a temper: `questions` has what was asked, `answer` takes a method and its params. */
export function person(temper) {
  const questions = [];
  const answer = (method, params = {}) => {
    questions.push({ method, params });
    return TEMPERS[temper](method, params);
  };
  return { questions, answer };
}
