import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { type Documents, type Projection, liveDocuments, memoryDocuments } from '@lyceum/documents';
import { type EventLog, memoryEventLog } from '@lyceum/eventlog';
import { systemClock } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { startReaction } from '../reactions/reaction.ts';
import { soleLeases } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import { projectLog } from '../projections/followed-projections.ts';
import { publishFacts } from './publish.ts';
import { followTrust, snapshotCollection } from '@lyceum/internal-api';

const school = 'school_1';
const life = 'the one life of the log';

/** A log with commits of these names, whose ids are derived from them. */
async function logOf(...names: readonly string[]): Promise<EventLog> {
  const log = { ...memoryEventLog({ lanes: 1 }), epoch: life };
  for (const name of names)
    await log.append({
      tenant: school,
      expectations: [],
      events: [{ stream: `thing-${name}`, type: 'Happened', schema: 1, data: { name } }],
      commitId: `commit-${name}`,
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    });
  return log;
}

const common = ['1', '2', '3', '4', '5', '6', '7'];
const lost = [...common, '8', '9', '10'];
const grown = [...common, '8b', '9b', '10b', '11b'];

const names: Projection = {
  collection: { name: 'names', version: 1, fields: {} },
  key: ({ data }) => (data as { name: string }).name,
  project: ({ data }) => ({ name: (data as { name: string }).name }),
};

describe('a log that was put back without a new log epoch, and grew by other commits', () => {
  let documents: Documents;
  beforeEach(() => void (documents = memoryDocuments()));

  const portsOf = (log: EventLog, channel: Channel = memoryChannel()): ModulePorts =>
    ({ log, documents, channel, clock: systemClock, logger: silentLogger }) as never;

  test('a read model is built anew: it shows no commit that is gone and misses none', async () => {
    const shown = async () => {
      const reader = await liveDocuments(documents);
      const { items } = await reader.query(names.collection, school, { limit: 50 });
      return items.map(({ id }) => id);
    };
    for (const [history, expected] of [[lost], [grown], [grown]].map(([each]) => [each!, [...each!].sort()] as const)) {
      const model = await projectLog(portsOf(await logOf(...history)), 'service', names);
      await model.caughtUp();
      expect(await shown()).toEqual(expected);
      await model.close();
    }
  });

  test('a reaction hears every commit of the other history', async () => {
    const heard: unknown[] = [];
    const perform = async ({ data }: { data: unknown }) => void heard.push((data as { name: string }).name);
    for (const history of [lost, lost, grown, grown]) {
      const reaction = { name: 'hear', events: ['Happened'], perform };
      const running = await startReaction(portsOf(await logOf(...history)), 'service', reaction);
      await running.caughtUp();
      await running.close();
    }
    expect(heard).toEqual([...lost, ...grown]);
  });

  test('facts are published from the beginning, and their readers begin anew: reactions, read models, trust', async () => {
    const sent: string[] = [];
    const toFact = ({ data }: { data: unknown }) =>
      ({ type: 'AccountOpened', data: { account_id: (data as { name: string }).name } }) as const;
    const heard: unknown[] = [];
    const perform = async ({ data }: { data: unknown }) => void heard.push((data as { account_id: string }).account_id);
    for (const history of [lost, grown]) {
      const transport = memoryChannel();
      const channel: Channel = {
        offer: (...args) => transport.offer(...args),
        subscribe: (subscription) => transport.subscribe(subscription),
        close: () => transport.close(),
        async publish(messages) {
          for (const { facts } of messages) sent.push(String((facts[0]!.data as { account_id: string }).account_id));
        },
      };
      const ports = { ...portsOf(await logOf(...history), channel), leases: soleLeases(() => undefined) };
      const publishing = await publishFacts({ ...ports, roles: new Set(['relay']) } as never, 'auth', toFact);
      const reaction = { name: 'far', source: 'auth', events: ['AccountOpened'], perform } as const;
      const reacting = await startReaction({ ...ports, leases: undefined } as never, 'other', reaction);
      const trust = followTrust({ ...ports, onError: () => undefined }, ['auth']);
      await trust.caughtUp();
      await reacting.caughtUp();
      await until(() => sent.includes(history.at(-1)!));
      await Promise.all([publishing, reacting, trust].map((each) => each.close()));
      await transport.close();
      const key = `auth@${life}`;
      const trusted = snapshotCollection('trust', 4);
      expect(await documents.checkpointOf(trusted, key, 0)).toEqual({
        position: history.length,
        commitId: `commit-${history.at(-1)}`,
      });
    }
    expect(sent).toEqual([...lost, ...grown]);
    expect(heard).toEqual([...lost, ...grown]);
  });
});
