import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, type Message, memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { type EventLog, memoryEventLog } from '@lyceum/eventlog';
import { UnknownEvent } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentLeases } from '../running/document-leases/document-leases.ts';
import { type Publishing, publishFacts } from './publish.ts';
import type { ServiceRole } from '../roles.ts';
import { Watch } from '../running/watch.ts';

const log0 = memoryEventLog();
const times = { beat: 40, look: 15, lifetime: 3_000 };

/** What leaves the processes of one service that share a log and documents, as Kafka would get it. */
describe('facts that leave the process', () => {
  let log: EventLog;
  let documents: ReturnType<typeof memoryDocuments>;
  let sent: { by: string; message: Message }[];
  const running: Publishing[] = [];
  beforeEach(() => {
    log = memoryEventLog();
    documents = memoryDocuments();
    sent = [];
    [isDown, canTell] = [false, false];
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  let [isDown, canTell] = [false, false];
  const watches = new Map<string, Watch>();
  let offered: Parameters<Channel['offer']>[2] | undefined;
  const start = async (by: string, roles: readonly ServiceRole[] = ['relay']): Promise<Publishing> => {
    const transport = memoryChannel();
    const channel: Channel = {
      offer: (...args) => {
        offered = args[2];
        transport.offer(...args);
      },
      subscribe: (subscription) => transport.subscribe(subscription),
      close: () => transport.close(),
      async publish(messages) {
        if (isDown) throw new Error('the brokers are away');
        for (const message of messages) sent.push({ by, message });
      },
    };
    const leases = documentLeases(documents, () => undefined, times);
    const watch = new Watch();
    watches.set(by, watch);
    const ports = { channel, documents, leases, log, logger: silentLogger as never, roles: new Set(roles), watch };
    const publishing = await publishFacts(ports, 'auth', ({ type, data }) => {
      if (type === 'Newer') throw new UnknownEvent('a newer release wrote it');
      if (type === 'Broken' && !canTell) throw new TypeError('no fact can be made of it');
      return type === 'Urgent'
        ? { type: 'GrantRevoked', data: { grant: (data as { account_id: string }).account_id, until: '' } }
        : { type: 'AccountOpened', data: data as { account_id: string } };
    });
    running.push(publishing);
    return publishing;
  };
  const write = async (account_id: string, type = 'X', tenant = 'school_1'): Promise<void> => {
    const stream = `account_${account_id}`;
    await log.append({
      tenant,
      expectations: [],
      events: [{ stream, type, schema: 1, data: { account_id } }],
      commitId: randomUUID(),
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    });
  };
  const told = () =>
    sent.map(({ message }) => Object.values(message.facts[0]!.data as Readonly<Record<string, string>>)[0]);

  test('R2: what was written while nobody relayed is published later, in order, and not again', async () => {
    await write('1');
    const first = await start('first');
    await until(() => told().length === 1);
    await first.close();
    await write('2');
    await write('3');
    await start('second');
    await write('4');
    await until(() => told().length === 4);
    await sleep(100);
    expect(told()).toEqual(['1', '2', '3', '4']);
  });

  test('R1: of several processes one relays; the next goes on where it stopped', async () => {
    const [first, second] = [await start('first'), await start('second')];
    for (const course of ['1', '2', '3']) await write(course);
    await until(() => told().length === 3);
    const { by } = sent[0]!;
    expect(sent.every((each) => each.by === by)).toBe(true);
    const lane = log.laneOf('school_1');
    expect(watches.get(by)!.relay('auth', lane)).toBe(3);
    await (by === 'first' ? first : second).close();
    // Where it was says nothing any more.
    expect(watches.get(by)!.relay('auth', lane)).toBeUndefined();
    await write('4');
    await until(() => told().length === 4);
    expect(told()).toEqual(['1', '2', '3', '4']);
    expect(sent.at(-1)!.by).not.toBe(by);
  });

  /** What was told, school by school. */
  const toldOf = (tenant: string) =>
    sent
      .filter(({ message }) => message.tenant === tenant)
      .flatMap(({ message }) => message.facts)
      .map(({ type, data }) => (data as { account_id?: string }).account_id ?? type);
  /** Schools of one lane. */
  const [broken, sound] = (() => {
    const lane = log0.laneOf('school_1');
    const other = Array.from({ length: 500 }, (_, n) => `school_x${n}`).find((each) => log0.laneOf(each) === lane)!;
    return ['school_1', other];
  })();

  test('a commit that cannot be told withholds its school, in order, and nobody else; a release that can tell it does', async () => {
    const first = await start('first');
    await write('1');
    await write('2', 'Broken');
    await write('3');
    await write('4', 'X', sound);
    await until(() => toldOf(sound).length === 1);
    expect([toldOf(broken), toldOf(sound)]).toEqual([['1', 'FactsWithheld'], ['4']]);
    await first.close();
    const again = await start('again');
    await write('5');
    await write('6', 'X', sound);
    await until(() => toldOf(sound).length === 2);
    expect(toldOf(broken)).toEqual(['1', 'FactsWithheld']);
    await again.close();
    canTell = true;
    await start('newer');
    await until(() => toldOf(broken).includes('FactsResumed'));
    await write('7');
    await until(() => toldOf(broken).includes('7'));
    expect(toldOf(broken)).toEqual(['1', 'FactsWithheld', '2', '3', '5', 'FactsResumed', '7']);
  });

  test('history is read by others beside a school whose facts are withheld, from wherever they are', async () => {
    await write('1', 'Broken');
    await write('2');
    await write('3', 'X', sound);
    await start('first');
    const backfill = offered!;
    const lane = log.laneOf(broken);
    const read = async (after: number) =>
      (await backfill(lane, after, 10)).map(({ tenant, facts }) => [tenant, facts[0]!.type]);
    expect(await read(0)).toEqual([
      [broken, 'FactsWithheld'],
      [sound, 'AccountOpened'],
    ]);
    expect(await read(1)).toEqual([[sound, 'AccountOpened']]);
  });

  test('an event that only a newer release knows makes the lane stand: nothing is withheld and nothing is passed', async () => {
    await start('first');
    await write('1', 'Newer');
    await write('2', 'X', sound);
    await sleep(150);
    expect(sent).toEqual([]);
  });

  test('R3: while the transport is away writes go on, and then everything is published in order', async () => {
    isDown = true;
    await start('first');
    for (const course of ['1', '2', '3']) await write(course);
    await sleep(100);
    expect(told()).toEqual([]);
    isDown = false;
    await until(() => told().length === 3);
    expect(told()).toEqual(['1', '2', '3']);
  });

  test('a process without the role relays nothing, but what is urgent', async () => {
    await start('http', ['http', 'consumer']);
    await write('1');
    await write('2', 'Urgent');
    await write('3', 'Urgent');
    await until(() => told().length === 2);
    await sleep(100);
    expect(told()).toEqual(['2', '3']);
    // Whoever has not heard the first reads it from the owner.
    expect(sent.map(({ message: { previous, position } }) => [previous, position])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test('the relay publishes what is urgent as well, in its order, and once when it runs where that was written', async () => {
    await start('whole', ['http', 'relay']);
    await sleep(100);
    await write('1', 'Urgent');
    await until(() => told().length > 0);
    await sleep(100);
    expect(told()).toEqual(['1']);
    await start('http', ['http']);
    await write('2', 'Urgent');
    await until(() => told().length === 3);
    expect(
      sent
        .slice(1)
        .map(({ by }) => by)
        .sort(),
    ).toEqual(['http', 'whole']);
  });

  test('urgent facts that the transport does not take are left to the relay', async () => {
    isDown = true;
    await start('http', ['http']);
    await write('1', 'Urgent');
    await sleep(50);
    isDown = false;
    await start('relay');
    await write('2', 'Urgent');
    await until(() => told().includes('1') && told().filter((each) => each === '2').length === 2);
  });
});
