import { type Message, memoryChannel } from '@lyceum/channel';
import {
  type Collection,
  type Documents,
  type Projection,
  liveDocuments,
  memoryDocuments,
  purgedUpTo,
} from '@lyceum/documents';
import {
  Erased,
  type EventLog,
  Unavailable,
  type KeyStore,
  Vault,
  catalogueOf,
  encryptedEventLog,
  memoryEventLog,
  memoryKeyStore,
} from '@lyceum/eventlog';
import { type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Eraser, startErasing } from './erasing.ts';
import { type Started, erasureFact, projectLog, publishFacts, writeErasure } from '@lyceum/service';

const types: EventTypes = { MemberJoined: { version: 1, data: z.object({ name: personal(z.string(), ofStream) }) } };
const members: Collection = { name: 'members', version: 1, fields: { name: 'text' } };
const projection: Projection = {
  collection: members,
  key: ({ type, stream }) => (type === 'MemberJoined' ? stream : undefined),
  project: ({ data }) => data as Record<string, unknown>,
  erase: { documents: (subject) => [subject.replace('_', '-')] },
};
const meta = { actor: 'test' };
const [school, ada] = ['school_1', 'account_1'];

/** What outlives a process of a service. */
interface Storage {
  readonly raw: EventLog;
  readonly store: KeyStore;
  readonly documents: Documents;
}
const storage = (): Storage => ({ raw: memoryEventLog(), store: memoryKeyStore(), documents: memoryDocuments() });

describe('erasing', () => {
  let channel: ReturnType<typeof memoryChannel>;
  let closing: (() => Promise<unknown>)[];
  let complaints: unknown[];
  beforeEach(() => {
    channel = memoryChannel();
    [closing, complaints] = [[], []];
  });
  let release = () => {};
  afterEach(async () => {
    release();
    for (const close of closing.reverse()) await close();
    await channel.close();
    expect(complaints).toEqual([]);
  });

  /** Starts a process of a service: its read model, its relay and its erasures. */
  async function start(
    name: 'auth' | 'school',
    on: Storage,
    options: { relay?: boolean; projects?: boolean; hook?: () => Promise<void>; version?: Projection } = {},
  ) {
    const vault = new Vault(on.store, [Buffer.alloc(32, 7)]);
    const log = encryptedEventLog(on.raw, { vault, catalogue: catalogueOf([types]) });
    const logger = { error: (line: unknown) => complaints.push(line), warn: () => {} } as never;
    const ports = { log, vault, documents: on.documents, channel, clock: new FakeClock(), logger };
    // Of several processes, one projects.
    const idle = { caughtUp: () => Promise.resolve(), close: () => Promise.resolve() };
    const model = options.projects === false ? idle : await projectLog(ports, name, options.version ?? projection);
    closing.push(() => model.close());
    if (options.relay !== false) {
      const relay = await publishFacts(ports, name, erasureFact);
      closing.push(() => relay.close());
    }
    const heard: string[] = [];
    const erased = async (_: string, subject: string) => {
      await options.hook?.();
      heard.push(subject);
    };
    const sources = name === 'auth' ? (['school'] as const) : (['auth'] as const);
    const live = await liveDocuments(on.documents, { ttl: 0 });
    const purged: Started['purged'] = (at, timeout) =>
      purgedUpTo(live, options.version ?? projection, name, at, timeout);
    const eraser: Eraser = await startErasing(ports, { name, sources, started: { erased, purged }, patience: 500 });
    closing.push(() => eraser.close());
    const enrol = async (stream = 'account-1') => {
      const events = [{ stream, type: 'MemberJoined', schema: 1, data: { name: 'Ada Canary' } }];
      const append = { tenant: school, expectations: [], events, commitId: randomUUID(), fingerprint: '', meta };
      await log.append({ ...append, at: '2026-01-05T08:00:00.000Z' });
      await model.caughtUp();
    };
    const names = async () =>
      (await log.readLane(log.laneOf(school), 0, 100)).flatMap(({ events }) =>
        events.flatMap(({ type, data }) => (type === 'MemberJoined' ? [(data as { name: string | null }).name] : [])),
      );
    const documents = async () => (await on.documents.query(members, school, { limit: 100 })).items.map(({ id }) => id);
    return { eraser, enrol, names, documents, caughtUp: () => model.caughtUp(), heard, vault, log };
  }

  test('that another service tells of is completed when the log was away after the key was destroyed', async () => {
    const on = storage();
    let isAway = true;
    const append: EventLog['append'] = async (given) => {
      if (isAway && given.events[0]?.type === 'SubjectErased') {
        isAway = false;
        throw new Unavailable('away');
      }
      return on.raw.append(given);
    };
    const auth = await start('auth', storage());
    const schoolService = await start('school', { ...on, raw: { ...on.raw, append } });
    await schoolService.enrol();
    await auth.eraser.erase(school, ada, meta);
    const end = Date.now() + 5_000;
    while ((await schoolService.documents()).length > 0 && Date.now() < end) await sleep(10);
    expect(isAway).toBe(false);
    expect(await schoolService.documents()).toEqual([]);
    expect(schoolService.heard).toEqual([ada]);
  });

  const eventually = async (check: () => Promise<boolean> | boolean) => {
    const began = Date.now();
    while (!(await check())) {
      if (Date.now() - began > 5_000) throw new Error('it did not happen');
      await sleep(10);
    }
    return Date.now() - began;
  };

  test('reads null, purges documents, tells the service, and refuses what comes later', async () => {
    const auth = await start('auth', storage());
    await auth.enrol();
    await auth.enrol('account-2');
    expect(await auth.documents()).toEqual(['account-1', 'account-2']);
    expect([await auth.eraser.knows(school, ada), await auth.eraser.knows(school, 'account_9')]).toEqual([true, false]);
    await auth.eraser.erase(school, ada, meta);
    expect(await auth.names()).toEqual([null, 'Ada Canary']);
    expect(await auth.documents()).toEqual(['account-2']);
    expect(auth.heard).toEqual([ada]);
    await expect(auth.enrol()).rejects.toThrow(Erased);
    expect(await auth.vault.unreported()).toEqual([]);
    await auth.eraser.erase(school, ada, meta);
    const erasures = (await auth.log.load(school, ['subject-account_1'])).commits;
    expect(erasures).toHaveLength(1);
  });

  test('other services learn it over the channel, also when they start later, and no message says who it was', async () => {
    const messages: Message[] = [];
    const [here, there] = [storage(), storage()];
    const auth = await start('auth', here);
    closing.push(
      await Promise.resolve(
        channel.subscribe({
          consumer: 'spy',
          source: 'auth',
          from: async () => 0,
          handle: async (message) => void messages.push(message),
        }),
      ).then((spy) => () => spy.close()),
    );
    const members = await start('school', there);
    await members.enrol();
    await auth.enrol();
    await auth.enrol('account-2');
    await members.enrol('account-2');
    await auth.eraser.erase(school, ada, meta);
    expect(await eventually(async () => (await members.names())[0] === null)).toBeLessThan(1_000);
    await eventually(async () => (await members.documents()).length === 1);
    expect(await members.names()).toEqual([null, 'Ada Canary']);
    await eventually(() => messages.length > 0);
    expect(JSON.stringify(messages)).toContain(ada);
    expect(JSON.stringify(messages)).not.toContain('Canary');

    const late = await start('school', storage(), { relay: false });
    await eventually(async () => await late.eraser.knows(school, ada));
    await expect(late.enrol()).rejects.toThrow(Erased);
  });

  test('another process of the service, which holds the key, forgets it within a second', async () => {
    const shared = storage();
    const [one, two] = [await start('auth', shared), await start('auth', shared, { relay: false, projects: false })];
    await one.enrol();
    expect(await two.names()).toEqual(['Ada Canary']);
    await one.eraser.erase(school, ada, meta);
    expect(await eventually(async () => (await two.names())[0] === null)).toBeLessThan(1_000);
  });

  test('E-A5: a process that still holds the key of an erased person never projects the person back', async () => {
    const on = storage();
    const vaultOf = () => new Vault(on.store, [Buffer.alloc(32, 7)]);
    const [one, two] = [vaultOf(), vaultOf()];
    const log = encryptedEventLog(on.raw, { vault: two, catalogue: catalogueOf([types]) });
    const logger = { error: (line: unknown) => complaints.push(line) } as never;
    const model = await projectLog({ log, vault: two, documents: on.documents, channel, logger }, 'auth', projection);
    closing.push(() => model.close());
    const names = async () =>
      (await on.documents.query(members, school, { limit: 100 })).items.map(({ body }) => body['name']);
    const enrol = (stream: string) => {
      const events = [{ stream, type: 'MemberJoined', schema: 1, data: { name: `Ada Canary of ${stream}` } }];
      const at = '2026-01-05T08:00:00.000Z';
      return log.append({
        tenant: school,
        expectations: [],
        events,
        commitId: randomUUID(),
        fingerprint: '',
        at,
        meta,
      });
    };
    await enrol('account-1');
    await model.caughtUp();
    expect(await names()).toEqual(['Ada Canary of account-1']);
    await one.destroy(school, ada);
    // The second process hears of the erasure with what it has written itself after it.
    const telling = writeErasure(on.raw, { school, subject: ada, meta, at: '2026-01-05T09:00:00.000Z' });
    await Promise.all([telling, enrol('account-1'), enrol('account-2')]);
    await model.caughtUp();
    expect((await names()).toSorted()).toEqual(['Ada Canary of account-2', null]);
  });

  /** Documents in which a second version is not complete before the test is over. */
  function stuck(documents: Documents): Documents {
    const over = new Promise<void>((resolve) => (release = resolve));
    return new Proxy(documents, {
      get(target, name: keyof Documents) {
        if (name === 'apply')
          return (...how: Parameters<Documents['apply']>) =>
            (how[0].name === 'members.2' ? over : Promise.resolve()).then(() => documents.apply(...how));
        const found = target[name];
        return typeof found === 'function' ? (found as () => unknown).bind(target) : found;
      },
    });
  }
  const second: Projection = { ...projection, collection: { ...members, version: 2 } };
  const served = async (on: Storage) => {
    const live = await liveDocuments(on.documents);
    return (await live.query(second.collection, school, { limit: 100 })).items.map(({ id }) => id);
  };

  test('E-A4: while a new version of a read model is built, who is erased leaves the one that is served', async () => {
    const on = storage();
    const first = await start('auth', on);
    for (const stream of ['account-1', 'account-2']) await first.enrol(stream);
    for (const close of closing.splice(0).reverse()) await close();
    const building = { ...on, documents: stuck(on.documents) };
    const next = await start('auth', building, { version: second });
    expect(await served(building)).toEqual(['account-1', 'account-2']);
    await next.eraser.erase(school, ada, meta);
    expect(await served(building)).toEqual(['account-2']);
  });

  test('E-A4: an erasure is not answered as done before what readers get of every read model has followed it', async () => {
    const on = storage();
    const first = await start('auth', on);
    await first.enrol();
    for (const close of closing.splice(0).reverse()) await close();
    const fields = { ...members.fields, person: 'text' } as const;
    const collection = { ...second.collection, fields };
    const version: Projection = { ...second, collection, erase: { documents: { field: 'person' } } };
    const next = await start('auth', { ...on, documents: stuck(on.documents) }, { version });
    await expect(next.eraser.erase(school, ada, meta)).rejects.toThrow(Unavailable);
    expect(await next.names()).toEqual([null]);
  });

  test.each(['also its documents', 'E-A3: its documents are not'])(
    'a key store restored from a backup in which the key still was loses it again; restored are %s',
    async (which) => {
      const on = storage();
      const first = await start('auth', on);
      await first.enrol();
      const kept = new Map(
        await Promise.all(
          [{ tenant: school }, { tenant: school, subject: ada }].map(
            async (slot) => [slot, (await on.store.get(slot))!.wrapped!] as const,
          ),
        ),
      );
      await first.eraser.erase(school, ada, meta);
      // What it keeps of its search is kept now.
      await first.eraser.close();
      const restored = memoryKeyStore();
      for (const [slot, wrapped] of kept) await restored.add(slot, wrapped);
      const documents = which === 'also its documents' ? memoryDocuments() : on.documents;
      const second = await start('auth', { ...on, store: restored, documents }, { relay: false });
      await eventually(async () => (await second.names())[0] === null);
      // In new documents there is no collection before the read model makes it.
      await second.caughtUp();
      await eventually(async () => (await second.documents()).length === 0);
      expect(await restored.get({ tenant: school, subject: ada })).toEqual({ wrapped: null });
    },
  );

  test('E-A3: a log that was put back, and has grown by other commits, is searched from its beginning', async () => {
    const on = storage();
    const first = await start('auth', on);
    for (let n = 0; n < 3; n += 1) await first.enrol();
    await first.eraser.close();
    const other = { ...storage(), documents: on.documents };
    await writeErasure(other.raw, { school, subject: ada, meta, at: '2026-01-05T09:00:00.000Z' });
    for (const commitId of ['a', 'b', 'c', 'd'].map(() => randomUUID())) {
      const events = [{ stream: 'another', type: 'Happened', schema: 1, data: {} }];
      const at = '2026-01-05T10:00:00.000Z';
      await other.raw.append({ tenant: school, expectations: [], events, commitId, fingerprint: '', at, meta });
    }
    const again = await start('auth', { ...other, store: on.store }, { projects: false, relay: false });
    await eventually(async () => (await again.vault.keyStatus(school, ada)) === 'erased');
    expect(complaints.splice(0)).toMatchObject([{ err: { name: 'OtherHistory' } }]);
  });

  test('E-A3: a start goes on where the search of another service’s history ended; keys from a backup bring an older place along', async () => {
    const [here, there] = [storage(), storage()];
    const auth = await start('auth', { ...here, raw: { ...here.raw, epoch: 'first' } });
    const members = await start('school', there);
    await members.enrol();
    const wrapped = (await there.store.get({ tenant: school, subject: ada }))!.wrapped!;
    const own = (await there.store.get({ tenant: school }))!.wrapped!;
    await auth.eraser.erase(school, ada, meta);
    await eventually(() => members.heard.length === 1);
    await members.eraser.close();
    const kept = await there.store.searched('auth@first', there.raw.laneOf(school));
    expect(kept?.position).toBeGreaterThan(0);

    const asked: string[] = [];
    const keyStatus = there.store.get;
    there.store.get = (slot) => {
      asked.push(slot.subject ?? '');
      return keyStatus(slot);
    };
    const again = await start('school', there, { projects: false, relay: false });
    await again.eraser.close();
    expect(asked).not.toContain(ada);

    const restored = memoryKeyStore();
    await restored.add({ tenant: school }, own);
    await restored.add({ tenant: school, subject: ada }, wrapped);
    const back = await start('school', { ...there, store: restored }, { projects: false, relay: false });
    await eventually(async () => (await back.vault.keyStatus(school, ada)) === 'erased');
  });

  test.each(['before the log was told', 'before the service was told'])(
    'cut off right after the key is destroyed, %s, the next start completes it',
    async (when) => {
      const on = storage();
      const first = await start('auth', on, { hook: () => Promise.reject(new Error('the power went')) });
      await first.enrol();
      if (when === 'before the log was told') await first.vault.destroy(school, ada);
      else await expect(first.eraser.erase(school, ada, meta)).rejects.toThrow('the power went');
      expect(await first.names()).toEqual([null]);
      const second = await start('auth', on, { relay: false });
      expect(second.heard).toEqual([ada]);
      expect(await second.documents()).toEqual([]);
      expect((await second.log.load(school, ['subject-account_1'])).commits).toHaveLength(1);
      expect(await second.vault.unreported()).toEqual([]);
      const third = await start('auth', on, { relay: false });
      expect(third.heard).toEqual([]);
    },
  );
});
