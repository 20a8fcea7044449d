import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import type { DomainEvent } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { documentLeases } from '../running/document-leases/document-leases.ts';
import { pino } from 'pino';
import type { ModulePorts } from '../module.ts';
import type { ProcessManager } from './process.ts';
import { type Managing, startProcess } from './slice-process.ts';

const at = '2026-01-05T08:00:00.000Z';

/** Greets every school that is provisioned, once. */
const greeting: ProcessManager<null, DomainEvent, string, ModulePorts> = {
  name: 'greeting',
  events: {},
  initial: null,
  evolve: () => null,
  correlate: ({ type, tenant }) => (type === 'SchoolProvisioned' ? tenant : undefined),
  react: (input) => (input.kind === 'event' ? { commands: [input.event.tenant] } : {}),
  async carryOut(school, { tenant, commitId, meta }, { log }) {
    const events = [{ stream: `greeting-${school}`, type: 'Greeted', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};

/** Two processes of one service, on one log and one store, and the facts of another one. */
function stage() {
  const [log, documents, channel] = [memoryEventLog({ lanes: 1 }), memoryDocuments(), memoryChannel()];
  const schools: string[] = [];
  const messages = () =>
    schools.map((tenant, index) => {
      const fact = { id: tenant, type: 'SchoolProvisioned', schema: 1, subject: tenant, version: 1, data: {} };
      const place = { source: 'school', lane: 0, position: index + 1, previous: index };
      return { ...place, tenant, at, facts: [fact] };
    });
  let life = 'first';
  const heads = async () => ({ heads: [schools.length], epoch: life });
  channel.offer('school', 1, async (_lane, after, limit) => messages().slice(after, after + limit), heads);
  const restore = (): void => {
    schools.length = 0;
    life = 'second';
  };
  const managed: Managing[] = [];
  const start = async () => {
    const leases = documentLeases(documents, () => undefined, { beat: 20, look: 10, lifetime: 200 });
    const own = { log, documents, channel, leases, clock: new FakeClock(), logger: pino({ level: 'silent' }) };
    const ports = own as unknown as ModulePorts;
    const one = await startProcess(ports, 'content', { manager: greeting, sources: ['school'], takesOwn: false });
    managed.push(one);
    return one;
  };
  const provision = async (school: string) => {
    schools.push(school);
    await channel.publish(messages().slice(-1));
  };
  const greeted = async (school: string) =>
    (await log.load(school, [`greeting-${school}`])).commits.flatMap(({ events }) => events).length;
  return { start, provision, restore, greeted, managed, channel };
}

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (const end = Date.now() + 10_000; !(await holds()) && Date.now() < end;) await pause(10);
};

describe('a process manager of a service', () => {
  let running: ReturnType<typeof stage>;
  afterEach(async () => {
    for (const each of running.managed) await each.close();
    await running.channel.close();
  });

  test('runs in one process of the service at a time, and hears the facts of another service', async () => {
    running = stage();
    const { start, provision, greeted } = running;
    const both = [await start(), await start()];
    await until(() => both.some((each) => each.current()));
    await provision('school_1');
    await until(async () => (await greeted('school_1')) > 0);
    expect(await greeted('school_1')).toBe(1);
    expect(both.filter((each) => each.current())).toHaveLength(1);
    expect(
      await both
        .find((each) => each.current())!
        .current()!
        .stuck(),
    ).toEqual([]);
  });

  test('goes on in another process where the first left off', async () => {
    running = stage();
    const { start, provision, greeted } = running;
    const first = await start();
    await until(() => first.current() !== undefined);
    await provision('school_1');
    await first.caughtUp();
    await first.close();
    await provision('school_2');
    const second = await start();
    await until(async () => (await greeted('school_2')) > 0);
    expect([await greeted('school_1'), await greeted('school_2')]).toEqual([1, 1]);
    expect([first.current(), second.current()?.name]).toEqual([undefined, 'greeting']);
  });

  test('begins anew when the log that it hears is in another life', async () => {
    running = stage();
    const { start, provision, restore, greeted } = running;
    const first = await start();
    await until(() => first.current() !== undefined);
    for (const school of ['school_1', 'school_2']) await provision(school);
    await first.caughtUp();
    await first.close();
    restore();
    await provision('school_3');
    await start();
    await until(async () => (await greeted('school_3')) > 0);
    expect(await greeted('school_3')).toBe(1);
  });
});
