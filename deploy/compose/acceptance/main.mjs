// The acceptance: what is claimed of docker-compose.yml, on the containers that run here. Exit code 1 when a claim fails.
// A service is one container, so while it is away what needs it is refused, and nothing is claimed to be answered. Claimed is:
// it is refused in a way that clients understand, everything is right again soon, and nothing that was acknowledged is lost.
// Nothing is claimed of how long an answer takes while a service that starts reads all histories from the one small engine.
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@lyceum/testkit';
import { ask, startLoad } from '../../cluster/acceptance/load.mjs';
import { requestsTo } from '../../cluster/acceptance/requests.mjs';
import { School, base, gateway, once, pretended } from '../../cluster/acceptance/school.mjs';
import { kill, names, recreate, restart } from './containers.mjs';
import { lecturersOf, startWriter } from './writer.mjs';

const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
let faults = 0;
let asked = 0;
const claim = (holds, text) => {
  if (!holds) faults += 1;
  say(`${holds ? '' : 'FAULT '}${text}`);
};

/** How a request may end while a container is away. */
const isAway = (what) => isLate(what) || /: (502|503|504|ECONNREFUSED|ECONNRESET|EPIPE|socket hang up)$/.test(what);
/** Whether nobody answered in time. Who asked before everything was right may learn it afterwards: a request of each caller. */
const isLate = (what) => what.endsWith(': no answer in 10 s');
const callers = 6;

const orders = [];
/** Sells a course; the operator confirms its payment. */
const sell = async () => void orders.push((await school.sell(pretended)).id);

/** Waits until every request is right three times in turn; gives the milliseconds. */
async function untilRight(requests) {
  const since = Date.now();
  for (let right = 0; right < 3 * requests.length;) {
    const each = requests[right % requests.length];
    right = (await ask(gateway, each, false)).outcome === '200' ? right + 1 : 0;
    if (right === 0) await sleep(100);
    if (Date.now() - since > 90_000) throw new Error(`${each.path} is not right 90 s after the containers are healthy`);
  }
  return Date.now() - since;
}

const counted = (failed) => Object.values(failed).reduce((sum, each) => sum + each, 0);
const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** How often requests ended how, whatever was asked. */
function outcomes(failed) {
  const all = {};
  for (const [what, count] of Object.entries(failed)) {
    const outcome = what.split(': ').at(-1);
    all[outcome] = (all[outcome] ?? 0) + count;
  }
  const listed = Object.entries(all).map(([outcome, count]) => `${outcome} ${count} times`);
  return listed.length > 0 ? ` (${listed.join(', ')})` : '';
}

/** One change under load; afterwards everything is right, stays so, and a course is sold. */
async function stage(name, change) {
  signed.authorization = `Bearer ${await school.freshToken()}`;
  const since = Date.now();
  await change();
  const changed = Date.now() - since;
  const late = await untilRight(requests);
  const during = load.look();
  await sleep(3_000);
  const after = load.look();
  await sell();
  asked += during.asked + after.asked;
  const strange = Object.keys(during.failed).filter((what) => !isAway(what));
  const isSlow = Object.keys(after.failed).every(isLate) && counted(after.failed) <= callers;
  const wrong = [...strange, ...(isSlow ? [] : Object.keys(after.failed))];
  claim(
    wrong.length === 0,
    `${name}: healthy after ${seconds(changed)}, right after another ${seconds(late)}; refused meanwhile ${counted(during.failed)} of ${during.asked}${outcomes(during.failed)}, afterwards ${counted(after.failed)} of ${after.asked}${outcomes(after.failed)}${wrong.length > 0 ? ` ${wrong.join(', ')}` : ''}`,
  );
}

const school = await School.provision();
say('a school is provisioned by the operator’s command');
await school.signIn();
say('its owner signs in');
await school.publishCourse();
await sell();
say('a course is sold, and its order is fulfilled');

const traced = ['gateway', 'auth', 'school', 'catalog', 'learning', 'commerce'].map((name) => `lyceum-${name}`);
const traces = await once(
  'traces',
  () => call('http://127.0.0.1:16686/api/services'),
  ({ body }) => traced.every((name) => body.data?.includes(name)),
).catch((error) => error);
claim(!(traces instanceof Error), `${traced.length} services have sent traces of it ${traces.message ?? ''}`);

const { host } = new URL(base);
const signed = { host, authorization: `Bearer ${await school.freshToken()}` };
const requests = requestsTo({ host, course: school.course, signed });
const load = startLoad(gateway, requests);
await sleep(10_000);
const still = load.look();
asked += still.asked;
claim(
  counted(still.failed) === 0,
  `nothing changes: ${counted(still.failed)} of ${still.asked} failed ${Object.keys(still.failed).join(', ')}`,
);

const writer = startWriter(school);
const { apps, engines } = await names();
for (const each of apps) await stage(`${each} is made anew`, () => recreate(each));
for (const each of ['gateway', 'catalog']) await stage(`${each} is restarted`, () => restart(each));
for (const each of ['auth', 'commerce']) await stage(`${each} is killed`, () => kill(each));
for (const each of engines) await stage(`${each} is made anew`, () => recreate(each));
await load.end();

const acknowledged = await writer.end();
const kept = (await lecturersOf(school)).map(({ display_name: name }) => name);
const missing = [...acknowledged.keys()].filter((name) => kept.filter((each) => each === name).length !== 1);
claim(
  missing.length === 0,
  `${acknowledged.size} lecturers were acknowledged, all but ${missing.length} are there once`,
);
const token = await school.freshToken();
for (const id of orders)
  await once(
    'an order',
    () => call(`${base}/api/orders/${id}`, { token }),
    ({ body }) => body.fulfilled_at,
  ).catch((error) => claim(false, error.message));
say(`${orders.length} courses were sold, and every order is fulfilled`);
claim(asked > 3_000, `${asked} requests were sent`);
say(faults === 0 ? 'all claims hold' : `${faults} claims failed`);
process.exit(faults === 0 ? 0 : 1);
