import { personal } from '@lyceum/kernel';
import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryKeyStore } from '../keys/memory-key-store.ts';
import { KeyMissing, Vault } from '../keys/vault.ts';
import { memoryEventLog } from '../memory/memory.ts';
import { Corrupted, Erased, IdempotencyMismatch } from '../errors.ts';
import { type Commit, type EventLog, maxCommitBytes } from '../port.ts';
import { sqliteEventLog } from '../sqlite/sqlite.ts';
import { sampleAppend, testEventLog } from '../testing.ts';
import { encryptedEventLog } from './encrypted-log.ts';
import { catalogueOf } from './plan.ts';
import type { Schema } from './schema.ts';
import { sealedField } from './sealing.ts';

/** As much of a schema as marks need. */
interface TestSchema extends Schema {
  parse(value: unknown): unknown;
  nullable(): TestSchema;
  meta(): Readonly<Record<string, unknown>> | undefined;
  meta(about: object): TestSchema;
}

function schema(def: NonNullable<Schema['def']>, about?: Readonly<Record<string, unknown>>): TestSchema {
  const meta = ((given?: object) => (given ? schema(def, { ...given }) : about)) as TestSchema['meta'];
  const self: TestSchema = {
    def,
    meta,
    parse: (value) => value,
    nullable: () => schema({ type: 'nullable', innerType: self }),
  };
  return self;
}

const text = () => schema({ type: 'string' });
const object = (shape: Record<string, TestSchema>) => schema({ type: 'object', shape });

const opened = { email: personal(text(), '@stream'), role: text() };
const commented = { author: text(), text: personal(text(), 'author') };
const types = {
  AccountOpened: { version: 1, data: object(opened) },
  Commented: { version: 1, data: object(commented) },
};
const catalogue = catalogueOf([types]);

const vaultOf = () => new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
const folder = await mkdtemp(join(tmpdir(), 'lyceum-encrypted-'));
afterAll(() => rm(folder, { recursive: true }));

/** In the conformance suite every event is personal. */
const allPersonal = catalogueOf([{ Noted: { version: 1, data: object({ text: personal(text(), '@stream') }) } }]);

/** A ciphertext is written in four characters for every three bytes. */
const room = (maxCommitBytes / 4) * 3;

testEventLog('encryptedEventLog over memoryEventLog', async () => {
  const log = encryptedEventLog(memoryEventLog(), { vault: vaultOf(), catalogue: allPersonal });
  return { log, room, dispose: () => log.close() };
});

let files = 0;
testEventLog('encryptedEventLog over sqliteEventLog', async () => {
  const file = join(folder, `${(files += 1)}.db`);
  const vault = vaultOf();
  const open = async () => encryptedEventLog(await sqliteEventLog({ file }), { vault, catalogue: allPersonal });
  let log = await open();
  const reopen = async () => {
    await log.close();
    return (log = await open());
  };
  return { log, reopen, room, dispose: () => log.close() };
});

const email = 'ada@canary.test';
const account = (stream = 'account-1', data: object = { email, role: 'owner' }) => ({
  stream,
  type: 'AccountOpened',
  schema: 1,
  data,
});

/** A log and what is underneath it. */
function layers() {
  const raw = memoryEventLog();
  const vault = vaultOf();
  return { raw, vault, log: encryptedEventLog(raw, { vault, catalogue }) };
}

const dataOf = async (log: EventLog, stream = 'account-1') =>
  (await log.load('school_a', [stream])).commits.flatMap(({ events }) => events.map(({ data }) => data));

describe('encryptedEventLog', () => {
  test('gives back what was written, by every way of reading, and stores no personal value', async () => {
    const { raw, log } = layers();
    const append = sampleAppend({ events: [account()] });
    const { commit } = await log.append(append);
    const lane = log.laneOf('school_a');
    const read = [
      commit,
      (await log.load('school_a', ['account-1'])).commits[0],
      await log.find('school_a', append.commitId),
      (await log.readLane(lane, 0, 1))[0],
    ];
    for (const each of read) expect(each?.events[0]?.data).toEqual({ email, role: 'owner' });
    const stored = JSON.stringify(await raw.readLane(lane, 0, 10));
    expect(stored).not.toContain('ada');
    expect(stored).toContain('"email":null');
    expect((await raw.readLane(lane, 0, 1))[0]?.events[0]?.data).toMatchObject({ role: 'owner' });
  });

  test('an erased subject reads as null at once; other subjects and fields stay', async () => {
    const { log, vault } = layers();
    await log.append(sampleAppend({ events: [account(), account('account-2')] }));
    const comment = { stream: 'post-1', type: 'Commented', schema: 1, data: { author: 'account_1', text: 'hello' } };
    await log.append(sampleAppend({ events: [comment] }));
    await vault.destroy('school_a', 'account_1');
    expect(await dataOf(log)).toEqual([
      { email: null, role: 'owner' },
      { email, role: 'owner' },
    ]);
    expect(await dataOf(log, 'post-1')).toEqual([{ author: 'account_1', text: null }]);
  });

  /** Two processes over one log and one key store, of which the second holds the key of account_1. */
  async function twoProcesses() {
    const [raw, store] = [memoryEventLog(), memoryKeyStore()];
    const [one, two] = [1, 2].map(() => {
      const vault = new Vault(store, [Buffer.alloc(32, 7)]);
      return { vault, log: encryptedEventLog(raw, { vault, catalogue }) };
    });
    await two!.log.append(sampleAppend({ events: [account()] }));
    const data = { subject: 'account_1' };
    const erase = async () => {
      await one!.vault.destroy('school_a', 'account_1');
      const events = [{ stream: 'subject-account_1', type: 'SubjectErased', schema: 1, data }];
      await raw.append(sampleAppend({ events }));
    };
    return { two: two!, erase, lane: raw.laneOf('school_a') };
  }

  test.each([1, 2, 10])(
    'E-A5: who reads an erasure drops the key it holds, and shows nothing that was written with it (pages of %i)',
    async (page) => {
      const { two, erase, lane } = await twoProcesses();
      const told: (string | undefined)[] = [];
      two.vault.onErased((_, subject) => told.push(subject));
      await erase();
      // This process has not heard of it yet.
      await two.log.append(sampleAppend({ events: [account()] }));
      const seen: unknown[] = [];
      for (let after = 0, more = true; more;) {
        const commits = await two.log.readLane(lane, after, page);
        for (const { position, events } of commits) if (position > 1) seen.push(events[0]!.data);
        after = commits.at(-1)?.position ?? after;
        more = commits.length > 0;
      }
      expect(seen).toEqual([{ subject: 'account_1' }, { email: null, role: 'owner' }]);
      await expect(two.log.append(sampleAppend({ events: [account()] }))).rejects.toThrow(Erased);
      expect(told).toEqual(['account_1']);
    },
  );

  test('nothing personal about an erased subject is written any more; other events of its stream are', async () => {
    const { log, vault, raw } = layers();
    await vault.destroy('school_a', 'account_1');
    const events = [account('account-2'), account()];
    await expect(log.append(sampleAppend({ events }))).rejects.toThrow(Erased);
    expect(await raw.head(raw.laneOf('school_a'))).toBe(0);
    const closed = { stream: 'account-1', type: 'AccountClosed', schema: 1, data: {} };
    await log.append(sampleAppend({ events: [closed] }));
  });

  test('a repeated append answers with what the first one wrote', async () => {
    const { log, vault } = layers();
    const append = sampleAppend({ events: [account()] });
    const first = await log.append(append);
    expect(await log.append(append)).toEqual({ ...first, replayed: true });
    await vault.destroy('school_a', 'account_1');
    const found = await log.find('school_a', append.commitId);
    expect(found?.events[0]?.data).toEqual({ email: null, role: 'owner' });
  });

  test('the fingerprint of a personal request is stored encrypted, and a repeat is recognised by it all the same', async () => {
    const { raw, log, vault } = layers();
    const append = sampleAppend({ events: [account()], fingerprint: 'digest of ada@canary.test' });
    await log.append(append);
    const stored = await raw.find('school_a', append.commitId);
    expect(JSON.stringify(stored)).not.toContain('digest');
    expect((await log.find('school_a', append.commitId))?.fingerprint).toBe(append.fingerprint);
    expect(await log.append(append)).toMatchObject({ replayed: true, commit: { fingerprint: append.fingerprint } });
    await expect(log.append({ ...append, fingerprint: 'another' })).rejects.toThrow(IdempotencyMismatch);
    await expect(log.append(sampleAppend({ events: [account()], fingerprint: 'sealed:x' }))).rejects.toThrow(TypeError);
    const plain = sampleAppend({ events: [account()], fingerprint: '' });
    await log.append(plain);
    expect((await raw.find('school_a', plain.commitId))?.fingerprint).toBe('');
    await vault.destroySchool('school_a');
    expect((await log.find('school_a', append.commitId))?.fingerprint).not.toContain('digest');
    expect((await log.find('school_a', append.commitId))?.events[0]?.data).toEqual({ email: null, role: 'owner' });
  });

  test('later changes to the caller’s objects do not reach the log', async () => {
    const { log } = layers();
    const data = { email, role: 'owner' };
    const appending = log.append(sampleAppend({ events: [account('account-1', data)] }));
    data.email = 'changed@canary.test';
    data.role = 'member';
    await appending;
    expect(await dataOf(log)).toEqual([{ email, role: 'owner' }]);
  });

  test('refuses null for a personal value, a subject without a name, and the name of its own field', async () => {
    const { log } = layers();
    const refused = [
      account('account-1', { email: null, role: 'owner' }),
      { stream: 'post-1', type: 'Commented', schema: 1, data: { author: '', text: 'x' } },
      { stream: 'post-1', type: 'Commented', schema: 1, data: { text: 'x' } },
      account('account-1', { role: 'owner', [sealedField]: [] }),
      { stream: 'note-1', type: 'Noted', schema: 1, data: { [sealedField]: [] } },
    ];
    for (const event of refused) await expect(log.append(sampleAppend({ events: [event] }))).rejects.toThrow(TypeError);
  });

  test('events are opened by what is stored, not by today’s declaration', async () => {
    const { raw, vault, log } = layers();
    await log.append(sampleAppend({ events: [account()] }));
    const later = encryptedEventLog(raw, { vault, catalogue: catalogueOf([]) });
    expect(await dataOf(later)).toEqual([{ email, role: 'owner' }]);
  });

  test('without the key store of the log nothing is taken for erased', async () => {
    const { raw, log } = layers();
    await log.append(sampleAppend({ events: [account()] }));
    const elsewhere = encryptedEventLog(raw, { vault: vaultOf(), catalogue });
    await expect(elsewhere.load('school_a', ['account-1'])).rejects.toThrow(KeyMissing);
  });
});

/** A log whose stored commits are altered on the way up, under the encryption. */
const altered = (raw: EventLog, change: (commit: Commit) => unknown): EventLog => ({
  ...raw,
  async readLane(...asked) {
    const commits = JSON.parse(JSON.stringify(await raw.readLane(...asked))) as Commit[];
    commits.forEach(change);
    return commits;
  },
});

type Entry = [path: (string | number)[], subject: string, ciphertext: string];
type Stored = { type: string; stream: string; id: string; data: Record<string, unknown> & { $personal: Entry[] } };
const eventOf = (commit: Commit) => commit.events[0] as unknown as Stored;

describe('a ciphertext', () => {
  const cases: [string, (commit: Commit) => unknown][] = [
    ['another tenant', (commit) => Object.assign(commit, { tenant: 'school_b' })],
    ['another stream', (commit) => (eventOf(commit).stream = 'account-9')],
    ['another type', (commit) => (eventOf(commit).type = 'AccountMoved')],
    ['another event', (commit) => (eventOf(commit).id = `${randomUUID()}.1`)],
    ['another field', (commit) => (eventOf(commit).data.$personal[0]![0] = ['role'])],
    ['another subject', (commit) => (eventOf(commit).data.$personal[0]![1] = 'account_2')],
  ];
  test.each(cases)('moved to %s does not open', async (_, change) => {
    const { raw, vault, log } = layers();
    await log.append(sampleAppend({ events: [account(), account('account-2')] }));
    for (const subject of ['account_1', 'account_2']) await vault.keyFor('school_b', subject);
    const moved = encryptedEventLog(altered(raw, change), { vault, catalogue });
    await expect(moved.readLane(log.laneOf('school_a'), 0, 1)).rejects.toThrow(Corrupted);
  });

  test('with one bit changed anywhere is an error that names the event and shows nothing', async () => {
    const { raw, vault, log } = layers();
    await log.append(sampleAppend({ events: [account()] }));
    const lane = log.laneOf('school_a');
    const [, , ciphertext] = eventOf((await raw.readLane(lane, 0, 1))[0]!).data.$personal[0]!;
    const bytes = Buffer.from(ciphertext, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ (1 << (at % 8));
      const change = (commit: Commit) => (eventOf(commit).data.$personal[0]![2] = flipped.toString('base64url'));
      const tampered = encryptedEventLog(altered(raw, change), { vault, catalogue });
      const failure = await tampered.readLane(lane, 0, 1).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Corrupted);
      expect(String(failure)).toMatch(/event .*\.1 of stream account-1: email cannot be opened/);
    }
  });

  test('that is no ciphertext at all is corruption too', async () => {
    const { raw, vault, log } = layers();
    await log.append(sampleAppend({ events: [account()] }));
    for (const damage of ['', null, [], [1], [[['email'], 'account_1']], [[['email'], 'account_1', '']]])
      if (!Array.isArray(damage) || damage.length > 0) {
        const change = (commit: Commit) => (eventOf(commit).data.$personal = damage as never);
        const tampered = encryptedEventLog(altered(raw, change), { vault, catalogue });
        await expect(tampered.readLane(log.laneOf('school_a'), 0, 1)).rejects.toThrow(Corrupted);
      }
  });

  test('of the same value is another one every time', async () => {
    const { raw, log } = layers();
    for (let n = 0; n < 3; n += 1) await log.append(sampleAppend({ events: [account()], commitId: randomUUID() }));
    const stored = (await raw.readLane(raw.laneOf('school_a'), 0, 9)).map(
      (commit) => eventOf(commit).data.$personal[0]![2],
    );
    expect(new Set(stored).size).toBe(3);
  });
});
