// Changes of an installation under load, one after the other, and what was claimed of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from './load.mjs';
import { requestsTo } from './requests.mjs';
import { School, base, gateway, openDoor } from './school.mjs';

const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
/** Callers at a time, half of which keep their connections. */
const callers = 6;
let faults = 0;
let asked = 0;
const fault = (text) => {
  faults += 1;
  say(`FAULT ${text}`);
};

/** Whether nothing was sent: a load balancer in front of gateways asks the next one then. */
const isRefused = ([what]) => what.endsWith('ECONNREFUSED');

/**
 * Provisions a school, lets its owner in, sells a course, and puts load on it; then `changes` happen, each by `stage`. After
 * all of them a course is sold once more, and the process ends: with 1 when a claim failed, or when less than `least` was asked.
 */
export async function underLoad(least, changes) {
  const closeDoor = await openDoor();
  const school = await School.provision();
  say('a school is provisioned by the operator’s command');
  await school.signIn();
  say('its owner signs in');
  await school.publishCourse();
  const sell = async (when) => {
    const { number, id } = await school.sell();
    say(`${when}a course is sold: order ${number ?? id} is fulfilled`);
  };
  await sell('');
  const host = new URL(base).host;
  const signed = { host, authorization: `Bearer ${await school.freshToken()}` };
  const requests = requestsTo({ host, course: school.course, signed });
  const load = startLoad(gateway, requests, { fresh: callers / 2, kept: callers / 2 });
  await changes(async (name, change, isKill = false) => {
    signed.authorization = `Bearer ${await school.freshToken()}`;
    await change();
    await sleep(2_000);
    judge(load.look(), name, isKill);
  });
  await load.end();
  await sell('after all this ');
  if (asked < least) fault(`only ${asked} requests were sent`);
  closeDoor();
  say(faults === 0 ? `${asked} requests, all claims hold` : `${faults} claims failed`);
  process.exit(faults === 0 ? 0 : 1);
}

/**
 * After a change nothing may have failed; where somebody is killed, as many as ask at once, beside connections that were
 * refused.
 */
function judge(seen, name, isKill) {
  const all = Object.entries(seen.failed);
  const sum = (counted) => counted.reduce((total, [, count]) => total + count, 0);
  const counted = sum(isKill ? all.filter((each) => !isRefused(each)) : all);
  asked += seen.asked;
  const told = `${name}: ${sum(all)} of ${seen.asked} failed ${all.length > 0 ? JSON.stringify(seen.failed) : ''}`;
  if (counted <= (isKill ? callers : 0)) return say(told);
  fault(told);
  for (const each of seen.refusals.slice(0, 20)) say(`  ${each}`);
}
