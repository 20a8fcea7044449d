/**
 * The REST API of the OpenID Foundation's suite. It runs one module at a time: modules of one alias interrupt each other.
 * The certificate of the suite has to be trusted: NODE_EXTRA_CA_CERTS.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const [patience, pause] = [180_000, 500];
/** Results that stand for themselves or await only the eyes of a person. */
const good = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED'];

async function ask(suite, method, path, { query = {}, body } = {}) {
  const url = new URL(`/api/${path}`, suite);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`the suite answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** Waits until a module is in one of these states. One that waits for a person who never comes is stopped. */
async function reached(suite, id, states) {
  const until = Date.now() + patience;
  while (Date.now() < until) {
    const { status, result } = await ask(suite, 'GET', `info/${id}`);
    if (status === 'INTERRUPTED') return 'INTERRUPTED';
    if (states.includes(status)) return result;
    await sleep(pause);
  }
  await ask(suite, 'DELETE', `runner/${id}`);
  return 'INTERRUPTED';
}

/** What the log of a module says against a plain pass, each sentence once. */
async function remarks(suite, id) {
  const log = await ask(suite, 'GET', `log/${id}`);
  const sentences = log
    .filter(({ result }) => ['FAILURE', 'WARNING', 'INTERRUPTED', 'SKIPPED', 'REVIEW'].includes(result))
    .map(({ src, msg, result }) => `${result} ${src}: ${msg.split('\n')[0]}`);
  return [...new Set(sentences)];
}

/** Runs a module. `prepared` has what is to be done before a module that a person would start, by its name. */
async function runModule(suite, plan, { testModule, variant }, prepared) {
  const began = Date.now();
  const query = { test: testModule, plan, ...(variant === undefined ? {} : { variant: JSON.stringify(variant) }) };
  const { id } = await ask(suite, 'POST', 'runner', { query });
  if (prepared[testModule]) {
    await reached(suite, id, ['CONFIGURED']);
    await prepared[testModule]();
    await ask(suite, 'POST', `runner/${id}`);
  }
  const result = await reached(suite, id, ['FINISHED']);
  const said = result === 'PASSED' ? [] : await remarks(suite, id);
  return { module: testModule, variant, id, result, said, seconds: Math.round((Date.now() - began) / 1000) };
}

/** Creates a plan and runs its modules in turn, all or those whose name has `only` in it. */
export async function runPlan(suite, { name, variant, configuration }, { only = '', prepared = {}, report }) {
  const query = { planName: name, variant: JSON.stringify(variant) };
  const { id, modules } = await ask(suite, 'POST', 'plan', { query, body: configuration });
  const ran = [];
  for (const each of modules.filter(({ testModule }) => testModule.includes(only))) {
    const done = await runModule(suite, id, each, prepared);
    report(done);
    ran.push(done);
  }
  return { name, variant, id, modules: ran };
}

/** One line for a module, and one for each remark on it. */
export const linesOf = ({ module, variant = {}, result, seconds, said }) => [
  `${result.padEnd(12)}${String(seconds).padStart(4)} s  ${module}${variant['client_auth_type'] ? ` (${variant['client_auth_type']})` : ''}`,
  ...said.map((sentence) => `${' '.repeat(20)}${sentence}`),
];

/** How many modules of a plan had which result. */
export function tally({ name, modules }) {
  const counts = new Map();
  for (const { result } of modules) counts.set(result, (counts.get(result) ?? 0) + 1);
  return `${name}: ${[...counts].map(([result, count]) => `${count} ${result}`).join(', ')}`;
}

/** Whether nothing failed, and anything ran. */
export const isGood = ({ modules }) => modules.length > 0 && modules.every(({ result }) => good.includes(result));

/** The suite's own version. */
export const versionOfSuite = async (suite) => (await ask(suite, 'GET', 'server'))?.version;
