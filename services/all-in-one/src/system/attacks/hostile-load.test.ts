import { describe, expect, test } from '@jest/globals';
import { HonestLoad, allWays, hostileLoad, hostileSchool } from '@lyceum/testkit';
import { ownSystems } from '../../testing/operating/own-systems.ts';

/** Seconds of load, e.g. `HOSTILE_SECONDS=60` on a machine that does nothing else: then the time that answers take counts. */
const wished = process.env['HOSTILE_SECONDS'];
const seconds = Number(wished ?? 6);
/** Milliseconds that 99 of 100 honest answers take at most. */
const bound = 250;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;

/** One school is loaded in every way that its visitors, clients and owner have, from as many addresses as they like. */
describe('a hostile school', () => {
  const { start } = ownSystems();

  test('neither refuses nor fails what people of another school ask for meanwhile', async () => {
    // One proxy in front, whose word about addresses is taken, and the limits of production.
    const system = await start({ env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_FACTOR: '1' } });
    const { baseUrl, northQuayUrl, password } = system;
    const honest = await HonestLoad.prepare(baseUrl, { email: 'owner@lantern.test', password });
    const school = await hostileSchool(northQuayUrl, { email: 'owner@northquay.test', password });
    const load = await hostileLoad(school, { share: wished === undefined ? 0.25 : 1 });
    const { latencies, wrong } = await honest.run(seconds);
    const answers = await load.end();

    expect(wrong).toEqual([]);
    // Each way did what it is there for: it was really answered, or refused as it should be.
    const idle = allWays.filter(({ name, works }) => !works.some((status) => (answers[name]?.[status] ?? 0) > 0));
    expect(idle.map(({ name }) => ({ name, answers: answers[name] }))).toEqual([]);
    for (const name of ['GET course', 'MCP get_school', 'sign-in', 'code exchange', 'refresh', 'write'])
      expect([name, latencies.get(name)?.length ?? 0]).not.toEqual([name, 0]);
    if (wished === undefined) return;

    const measured = [...latencies].map(([name, taken]) => ({
      name,
      count: taken.length,
      p50: Math.round(quantile(taken, 0.5)),
      p99: Math.round(quantile(taken, 0.99)),
    }));
    process.stderr.write(`${JSON.stringify({ measured, answers }, null, 1)}\n`);
    expect(measured.filter(({ p99 }) => p99 >= bound)).toEqual([]);
  }, 600_000);
});
