import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { type EventLog, memoryEventLog, startRelay } from '@lyceum/eventlog';
import { until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentLeases } from '../running/document-leases/document-leases.ts';
import { Watch } from '../running/watch.ts';
import { type Publishing, publishFacts } from './publish.ts';

const times = { beat: 40, look: 15, lifetime: 1_000 };
const lanes = 8;
const all = [...Array(lanes).keys()];

describe('a relay whose lanes processes share', () => {
  let log: EventLog;
  let documents: ReturnType<typeof memoryDocuments>;
  let sent: {
    readonly by: string;
    readonly lane: number;
    readonly position: number;
    readonly types: readonly string[];
  }[];
  /** What was sent before does not count. */
  let counted: number;
  let canTell: boolean;
  const running: { close(): Promise<unknown> }[] = [];
  beforeEach(() => {
    log = memoryEventLog({ lanes });
    documents = memoryDocuments();
    sent = [];
    counted = 0;
    canTell = true;
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  const leasesOf = () => documentLeases(documents, () => undefined, times);
  const channelOf = (by: string): Channel => ({
    ...memoryChannel(),
    offer: () => undefined,
    async publish(messages) {
      for (const { lane, position, facts } of messages)
        sent.push({ by, lane, position, types: facts.map(({ type }) => type) });
    },
  });
  const start = async (by: string): Promise<Publishing & { readonly relayed: () => readonly number[] }> => {
    const watch = new Watch();
    const given = {
      channel: channelOf(by),
      documents,
      leases: leasesOf(),
      log,
      roles: new Set(['relay'] as const),
      watch,
    };
    const publishing = await publishFacts({ ...given, logger: silentLogger as never }, 'auth', ({ type, data }) => {
      if (type === 'Broken' && !canTell) throw new TypeError('no fact can be made of it');
      return { type: 'AccountOpened', data: data as { account_id: string } };
    });
    running.push(publishing);
    return { ...publishing, relayed: () => all.filter((lane) => watch.relay('auth', lane) !== undefined) };
  };
  const untilShared = (...processes: readonly { relayed(): readonly number[] }[]) =>
    until(() => {
      const relayed = processes.flatMap((each) => each.relayed());
      return (
        relayed.length === lanes &&
        new Set(relayed).size === lanes &&
        processes.every((each) => each.relayed().length > 0)
      );
    });
  /** A process of the last release: one lease for the whole relay. */
  const startOld = async (by: string) => {
    const channel = channelOf(by);
    const old = leasesOf().contend('relay', async () => {
      const collection = { name: 'outbox', version: 1, fields: {} };
      await documents.open(collection);
      const source = log.epoch === undefined ? 'auth' : `auth@${log.epoch}`;
      return startRelay(log, {
        from: (lane) => documents.checkpointOf(collection, source, lane),
        saved: async (lane, position) => {
          const before = await documents.checkpoint(collection, source, lane);
          if (before < position) await documents.apply(collection, source, lane, before, position, []);
        },
        publish: (commits) =>
          channel.publish(commits.map(({ lane, position }) => ({ lane, position, facts: [] })) as never),
      });
    });
    running.push(old);
    return old;
  };
  const write = async (type = 'X'): Promise<void> => {
    const tenants = all.map((lane) =>
      Array.from({ length: 900 }, (_, n) => `school_${n}`).find((each) => log.laneOf(each) === lane)!,
    );
    for (const tenant of tenants)
      await log.append({
        tenant,
        expectations: [],
        events: [{ stream: 'account_1', type, schema: 1, data: { account_id: '1' } }],
        commitId: randomUUID(),
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'test' },
      });
  };
  const news = () => sent.slice(counted);
  const sentBy = () => [...new Set(news().map(({ by }) => by))].toSorted();
  const isAllSent = async () => {
    const there = new Set(sent.map(({ lane, position }) => `${lane}/${position}`));
    for (const lane of all)
      for (let position = await log.head(lane); position > 0; position -= 1)
        if (!there.has(`${lane}/${position}`)) return false;
    return true;
  };

  test('each lane is published by one of three processes, and by those that are left when one ends', async () => {
    const processes = [await start('one'), await start('two'), await start('three')];
    await untilShared(...processes);
    await write();
    await until(isAllSent);
    expect(sentBy()).toEqual(['one', 'three', 'two']);
    expect(news()).toHaveLength(lanes);
    await processes[0]!.close();
    expect(processes[0]!.relayed()).toEqual([]);
    await untilShared(processes[1]!, processes[2]!);
    counted = sent.length;
    await write();
    await until(() => news().length >= lanes);
    expect([sentBy(), news().length]).toEqual([['three', 'two'], lanes]);
  });

  test('what was withheld is published when its lane comes to a process that can tell it, though another one saw it withheld', async () => {
    canTell = false;
    const one = await start('one');
    await until(() => one.relayed().length === lanes);
    await write('Broken');
    await until(() => sent.length === lanes);
    canTell = true;
    const two = await start('two');
    await untilShared(one, two);
    await write();
    await one.close();
    await until(() => two.relayed().length === lanes);
    const told = (lane: number) => sent.filter((each) => each.lane === lane).flatMap(({ types }) => types);
    const isResumed = (lane: number) => told(lane).includes('FactsResumed');
    await until(() => all.every(isResumed));
    // In some lanes the second commit came after it was published again.
    await until(() => all.every((lane) => told(lane).filter((type) => type === 'AccountOpened').length === 2));
    expect(all.map((lane) => told(lane).filter((type) => type === 'FactsWithheld').length)).toEqual(all.map(() => 1));
  });

  test('beside processes of the last release nothing is lost, and nothing is published twice for long, in both directions', async () => {
    const old = await startOld('old');
    await until(() => old.current() !== undefined);
    const processes = [await start('one'), await start('two')];
    await write();
    await until(isAllSent);
    expect(sentBy()).toEqual(['old']);
    await old.close();
    await untilShared(...processes);
    counted = sent.length;
    await write();
    await until(() => news().length >= lanes);
    expect([sentBy(), news().length]).toEqual([['one', 'two'], lanes]);
    // And back.
    const again = await startOld('again');
    for (const each of processes) {
      await write();
      await each.close();
    }
    await until(() => again.current() !== undefined);
    await until(isAllSent);
    await sleep(2 * times.lifetime);
    counted = sent.length;
    await write();
    await until(() => news().length >= lanes);
    expect([sentBy(), news().length]).toEqual([['again'], lanes]);
  });
});
