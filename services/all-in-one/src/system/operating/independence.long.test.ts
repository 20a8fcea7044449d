import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type PreparedSplit, call, engines, noSplit, prepareSplit, urlsOf } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus, inForce } from '../../testing/in-force.ts';

/**
 * Milliseconds in which a process is ready whatever its neighbours do: 5 s on a quiet machine, where `READY_WITHIN_MS` asks
 * for it. Then one is started after the other, so that none is measured by the load that the others make.
 */
const isMeasured = process.env['READY_WITHIN_MS'] !== undefined;
const soon = Number(process.env['READY_WITHIN_MS'] ?? 90_000);
const names = ['gateway', 'auth-http', 'school', 'catalog'];

const ordersOf = (all: readonly string[]): readonly (readonly string[])[] =>
  all.length === 0
    ? [[]]
    : all.flatMap((first) => ordersOf(all.filter((each) => each !== first)).map((rest) => [first, ...rest]));

/** The orders in which services are started: each is the first of one, or all orders with `EVERY_ORDER=1`. */
const everyOrder = process.env['EVERY_ORDER'] === '1';
const orders = everyOrder ? ordersOf(names) : names.map((first) => [first, ...names.filter((each) => each !== first)]);

const reason = process.env['TOPOLOGY'] === 'one' ? 'TOPOLOGY=one' : await noSplit();
const suite = reason === undefined ? describe : describe.skip;

/** Every service finds the others only while they are ready, as behind the Services of Kubernetes. */
suite(`services and their neighbours${reason === undefined ? '' : `: ${reason}`}`, () => {
  let system: PreparedSplit;
  const taken: string[] = [];
  const of = (name: string) => system.processes.get(name)!;

  beforeAll(async () => {
    const shared = await Promise.all((await engines()).map((engine) => engine.shared()));
    system = await prepareSplit({ engines: urlsOf(shared), wholeServices: true, readyOnly: true });
  }, 120_000);
  afterAll(async () => {
    await system?.stop();
    process.stderr.write(`measured: ready alone: ${taken.join(', ')}\n`);
  }, 60_000);

  async function launched(name: string, how: string, more: Record<string, string> = {}): Promise<void> {
    const began = performance.now();
    of(name).launch(more);
    await of(name).ready();
    const milliseconds = performance.now() - began;
    taken.push(`${name} ${how} ${(milliseconds / 1_000).toFixed(1)} s`);
    expect([name, milliseconds < soon]).toEqual([name, true]);
  }

  /** Starts several, all at once unless it is measured how long each takes. */
  async function launchedAll(which: readonly string[], how: string, more?: Record<string, string>): Promise<void> {
    if (isMeasured) for (const name of which) await launched(name, how, more);
    else await Promise.all(which.map((name) => launched(name, how, more)));
  }

  /** As the gateway would ask a service, without a school's gateway in front. */
  const asked = (name: string, path: string, school: string, token?: string) =>
    call(`http://127.0.0.1:${of(name).port}${path}`, {
      headers: { 'x-school-id': school, 'x-service-token': system.env['SERVICE_TOKEN']! },
      ...(token === undefined ? {} : { token }),
    });

  test('each is ready alone on an empty store, and what needs the others is 503 with Retry-After', async () => {
    const nobody = 'http://127.0.0.1:1';
    const away = { AUTH_URL: nobody, SCHOOL_URL: nobody, CATALOG_URL: nobody };
    await launchedAll(names, 'empty', away);
    for (const [name, path] of [
      ['gateway', '/'],
      ['auth-http', '/api/oauth/jwks'],
      ['catalog', '/api/courses'],
    ] as const) {
      const { status, headers, body } = await asked(name, path, 'school_1');
      expect([name, status, Number(headers.get('retry-after')) > 0]).toEqual([name, 503, true]);
      expect(body.error_description).toContain('the school service is awaited');
    }
    for (const name of names) expect([name, await of(name).status('/readyz')]).toEqual([name, 200]);
    await Promise.all(names.map((name) => of(name).end('SIGKILL')));
  }, 120_000);

  test('started one by one they become a system, each ready at once', async () => {
    for (const name of ['catalog', 'gateway', 'auth-http', 'school']) await launched(name, 'first');
    await system.complete();
  }, 120_000);

  test(
    'started again in any order, each alone first, they are ready at once and serve as a system',
    async () => {
      const courses = () => call(`${system.baseUrl}/api/courses`);
      for (const [first, ...rest] of orders) {
        await Promise.all(names.map((name) => of(name).end('SIGKILL')));
        await launched(first!, 'before all');
        if (everyOrder) for (const name of rest) await launched(name, `after ${first!}`);
        else await launchedAll(rest, `after ${first!}`);
        expect([first, (await inForce(soon, courses, hasStatus(200))).status]).toEqual([first, 200]);
      }
    },
    60_000 + orders.length * 90_000,
  );

  test('the end of one changes no other’s readiness, and whoever may read without a token goes on', async () => {
    const courses = () => call(`${system.baseUrl}/api/courses`);
    expect((await courses()).status).toBe(200);
    for (const name of ['school', 'auth-http', 'catalog']) {
      await of(name).end('SIGKILL');
      for (let look = 0; look < 5; look += 1) {
        await sleep(100);
        for (const other of names.filter((each) => each !== name))
          expect([name, other, await of(other).status('/readyz')]).toEqual([name, other, 200]);
        if (name !== 'catalog') expect([name, (await courses()).status]).toEqual([name, 200]);
      }
      await launched(name, 'again');
      expect((await inForce(soon, courses, hasStatus(200))).status).toBe(200);
    }
  }, 120_000);

  test('after a restart with everybody else away a service serves what it knew', async () => {
    const { body } = await call(`${system.operatorUrl}/internal/schools`, { token: system.operatorToken });
    const school = (body.data as { id: string; slug: string }[]).find(({ slug }) => slug === 'lantern-craft')!.id;
    // What was learned last is kept within a second.
    await sleep(1_500);
    for (const name of names) await of(name).end('SIGKILL');
    await launched('catalog', 'restarted');
    const read = await asked('catalog', '/api/courses', school);
    expect([read.status, read.body.data?.length > 0]).toEqual([200, true]);
    expect((await asked('catalog', '/api/courses', school, 'x.y.z')).status).toBe(401);
    await launched('auth-http', 'restarted');
    const keys = await asked('auth-http', '/api/oauth/jwks', school);
    expect([keys.status, keys.body.keys?.length > 0]).toEqual([200, true]);
  }, 120_000);
});
