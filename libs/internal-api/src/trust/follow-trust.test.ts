import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, type Message, memoryChannel } from '@lyceum/channel';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { trustState, verifier } from '@lyceum/oauth';
import { FakeClock, until } from '@lyceum/testkit';
import { SnapshotDocuments } from '../followed-state/snapshot-documents.ts';
import { snapshotCollection } from '../followed-state/snapshot-forms.ts';
import { StateSnapshots } from '../followed-state/state-snapshots.ts';
import { type FollowedTrust, followTrust } from './follow-trust.ts';

/** As it is kept. */
const trustCollection = snapshotCollection('trust', 4);

const at = '2026-01-05T08:00:00.000Z';
const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const token = { jti: 'j', grant: 'g', subject: 'acc_1', client: 'client_1', issued: Date.parse(at) / 1000 };
const provisioned = (base_url: string) => ({
  type: 'SchoolProvisioned',
  data: { slug: 's', name: 'S', host: 's.test', base_url, currency: 'EUR', locale: 'en', timezone: 'UTC' },
});
const published = (kid: string) => ({ type: 'SigningKeyPublished', data: { kid, alg: 'ES256', public_jwk: jwk } });
const moved = (base_url: string) => ({ type: 'SchoolMoved', data: { host: 's.test', base_url } });
const revoked = (grant: string, until = '2026-01-05T08:10:00.000Z') => ({
  type: 'GrantRevoked',
  data: { grant, until },
});

interface Said {
  readonly type: string;
  readonly data: unknown;
}

/** A source of facts, two lanes, and from where its history was read. */
class Source {
  readonly lanes: Message[][] = [[], []];
  readonly asked: (readonly [lane: number, after: number])[] = [];
  readonly #name: string;
  readonly #epoch: string | undefined;

  constructor(name: string, epoch?: string) {
    this.#name = name;
    this.#epoch = epoch;
  }

  says(lane: number, { type, data }: Said, time = at): void {
    const position = this.lanes[lane]!.length + 1;
    const facts = [{ id: `${lane}-${position}`, type, schema: 1, subject: 's', version: 1, data }];
    const own = { source: this.#name, lane, position, previous: position - 1, tenant: `s${lane}`, at: time };
    this.lanes[lane]!.push({ ...own, facts });
  }

  offerTo(channel: Channel): void {
    const heads = async () => ({
      heads: this.lanes.map(({ length }) => length),
      ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }),
    });
    const backfill = async (lane: number, after: number, limit: number) => {
      this.asked.push([lane, after]);
      return this.lanes[lane]!.slice(after, after + limit);
    };
    channel.offer(this.#name, 2, backfill, heads);
  }
}

let clock: FakeClock;
let documents: Documents;
const closing: { close(): Promise<unknown> }[] = [];
beforeEach(() => {
  clock = new FakeClock();
  documents = memoryDocuments();
});
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});

/** A process that follows the sources, until it is closed. */
async function started(...sources: readonly Source[]): Promise<FollowedTrust & { readonly errors: unknown[] }> {
  const channel = memoryChannel();
  const errors: unknown[] = [];
  for (const source of sources) source.offerTo(channel);
  const names = sources.length === 2 ? (['school', 'auth'] as const) : (['school'] as const);
  const trust = followTrust({ channel, clock, documents, onError: (error) => errors.push(error) }, names);
  closing.push(channel, trust);
  await trust.caughtUp();
  return { ...trust, errors };
}

const pair = (epoch?: string): [Source, Source] => {
  const [school, auth] = [new Source('school', epoch), new Source('auth', epoch)];
  for (const lane of [0, 1]) school.says(lane, provisioned(`https://s${lane}.test`));
  for (const lane of [0, 1]) auth.says(lane, published(`k${lane}`));
  return [school, auth];
};

/** A process none of whose sources can be asked. */
function alone(
  names: readonly ('school' | 'auth')[] = ['school', 'auth'],
): FollowedTrust & { readonly channel: Channel } {
  const channel = memoryChannel();
  const trust = followTrust({ channel, clock, documents, onError: () => undefined }, names);
  closing.push(channel, trust);
  return Object.create(trust, { channel: { value: channel } });
}

describe('trust while a source is away', () => {
  const judged = ({ trust }: FollowedTrust) =>
    verifier({ trust, clock })
      .verify('x.y.z', { school: 's0' })
      .catch((error: Error) => error.name);

  test('that never told anything judges no token, and says who is awaited', async () => {
    const process = alone();
    // What it is not to know would be known by then.
    await new Promise((tick) => setTimeout(tick, 1_000));
    expect([process.isKnown, process.trust.awaits?.()]).toEqual([false, ['school', 'auth']]);
    expect(await judged(process)).toBe('TrustAwaited');
    pair('a')[0].offerTo(process.channel);
    await until(() => process.trust.awaits?.().length === 1);
    expect([process.trust.awaits?.(), await judged(process)]).toEqual([['auth'], 'TrustAwaited']);
    pair('a')[1].offerTo(process.channel);
    await until(() => process.isKnown);
    expect([process.isKnown, await judged(process)]).toEqual([true, 'InvalidToken']);
  });

  test('goes by what was kept, follows on when the source is back, and begins anew in another life of its log', async () => {
    const [school, auth] = pair('a');
    auth.says(0, revoked('g0'));
    await (await started(school, auth)).close();
    const process = alone();
    await until(() => process.isKnown);
    expect([process.isKnown, await judged(process)]).toEqual([true, 'InvalidToken']);
    expect(process.trust.school('s1')?.issuer).toBe('https://s1.test');
    expect(process.trust.denied('s0', { ...token, grant: 'g0' })).toBe(true);
    auth.says(1, revoked('g1'));
    auth.asked.length = 0;
    auth.offerTo(process.channel);
    await until(() => process.trust.denied('s1', { ...token, grant: 'g1' }));
    expect(auth.asked.filter(([lane, after]) => after < (lane === 0 ? 2 : 1))).toEqual([]);
    await process.close();

    const restored = alone();
    await until(() => restored.isKnown);
    const other = pair('b')[1];
    other.says(0, revoked('other'));
    other.offerTo(restored.channel);
    await until(() => restored.trust.denied('s0', { ...token, grant: 'other' }));
    await until(() => restored.isKnown);
    expect([restored.isKnown, restored.trust.denied('s0', { ...token, grant: 'g0' })]).toEqual([true, false]);
  });

  test('does not go by what was kept before everything was known once, nor for longer than an hour', async () => {
    const [school, auth] = pair('a');
    const half = memoryChannel();
    auth.lanes[1]!.length = 0;
    school.offerTo(half);
    const first = followTrust({ channel: half, clock, documents, onError: () => undefined }, ['school', 'auth']);
    closing.push(half);
    await first.caughtUp((source) => source === 'auth');
    await first.close();
    const process = alone();
    await until(() => process.trust.awaits?.().length === 1);
    expect(process.trust.awaits?.()).toEqual(['auth']);
    clock.advance(60 * 60_000);
    expect(process.trust.awaits?.()).toEqual(['school', 'auth']);
    school.offerTo(process.channel);
    await until(() => process.trust.awaits?.().length === 1);
    clock.advance(60 * 60_000);
    expect(process.trust.awaits?.()).toEqual(['auth']);
  });
});

describe('trust over a restart', () => {
  test('is there as it was, and only what is new is read', async () => {
    const [school, auth] = pair('a');
    auth.says(0, revoked('g0'));
    await (await started(school, auth)).close();
    auth.asked.length = 0;
    auth.says(1, revoked('g1'));
    const { trust } = await started(school, auth);
    expect(trust.school('s0')?.issuer).toBe('https://s0.test');
    expect(trust.key('s1', 'k1')?.alg).toBe('ES256');
    expect(trust.denied('s0', { ...token, grant: 'g0' })).toBe(true);
    expect(trust.denied('s1', { ...token, grant: 'g1' })).toBe(true);
    expect(auth.asked.map(([, after]) => after)).toEqual(expect.arrayContaining([2, 1]));
    expect(auth.asked.filter(([lane, after]) => after < (lane === 0 ? 2 : 1))).toEqual([]);
  });

  test('a fact that cannot be read withholds its school, over a restart too, and the others of the lane are told on', async () => {
    const [school, auth] = pair('a');
    auth.says(0, { type: 'SigningKeyPublished', data: { kid: 'k', alg: 'ES256', public_jwk: { kty: 'nonsense' } } });
    auth.says(0, revoked('g0'));
    const first = await started(school, auth);
    expect([first.trust.withheld?.('s0'), first.trust.withheld?.('s1')]).toEqual([true, false]);
    expect(first.trust.denied('s0', { ...token, grant: 'g0' })).toBe(true);
    expect(first.errors).toHaveLength(1);
    await first.close();
    const next = await started(school, auth);
    expect([next.trust.withheld?.('s0'), next.trust.withheld?.('s1')]).toEqual([true, false]);
    auth.says(0, { type: 'FactsResumed', data: {} });
    const last = await started(school, auth);
    expect(last.trust.withheld?.('s0')).toBe(false);
  });

  test('is there after a crash too: what was not saved is read once more', async () => {
    const [school, auth] = pair('a');
    await (await started(school, auth)).close();
    auth.says(0, revoked('g0'));
    const crashed = await started(school, auth);
    expect(crashed.trust.denied('s0', { ...token, grant: 'g0' })).toBe(true);
    const { trust } = await started(school, auth);
    expect(trust.denied('s0', { ...token, grant: 'g0' })).toBe(true);
  });

  test('what is over is neither recalled nor kept', async () => {
    const [school, auth] = pair('a');
    auth.says(0, revoked('g0'));
    await (await started(school, auth)).close();
    const kept = async () => (await documents.query(trustCollection, '_platform', { limit: 200 })).items.length;
    const before = await kept();
    clock.advance(30 * 60_000);
    auth.says(0, published('k2'));
    const again = await started(school, auth);
    expect(again.trust.denied('s0', { ...token, grant: 'g0' })).toBe(false);
    await again.close();
    expect(await kept()).toBe(before);
  });

  test('knows a domain of a school as long as it is the school’s, and keeps nothing of one that is not', async () => {
    const [school, auth] = pair('a');
    const domain = (type: 'DomainVerified' | 'DomainRemoved') => ({ type, data: { domain: 'a.example' } });
    school.says(0, domain('DomainVerified'));
    await (await started(school, auth)).close();
    const kept = async () => (await documents.query(trustCollection, '_platform', { limit: 200 })).items.length;
    const before = await kept();
    const again = await started(school, auth);
    expect(again.trust.school('s0')?.origins).toEqual(['https://a.example']);
    await again.close();
    for (const type of ['DomainRemoved', 'DomainVerified', 'DomainRemoved'] as const) school.says(0, domain(type));
    const third = await started(school, auth);
    expect(third.trust.school('s0')?.origins).toBeUndefined();
    await third.close();
    expect(await kept()).toBe(before - 1);
    school.says(0, domain('DomainVerified'));
    await (await started(school, auth)).close();
    expect((await started(school, auth)).trust.school('s0')?.origins).toEqual(['https://a.example']);
  });

  test('C17: what a log said in another life is discarded, though the new one has grown past the old place', async () => {
    const [school, auth] = pair('a');
    auth.says(0, published('stolen'));
    await (await started(school, auth)).close();
    const other = new Source('auth', 'b');
    for (const kid of ['k7', 'k8', 'k9']) other.says(0, published(kid));
    const { trust } = await started(school, other);
    expect(trust.key('s0', 'stolen')).toBeUndefined();
    expect(trust.key('s0', 'k0')).toBeUndefined();
    expect(trust.key('s0', 'k9')?.kid).toBe('k9');
    expect(trust.school('s0')?.issuer).toBe('https://s0.test');
    expect(other.asked).toContainEqual([0, 0]);
  });

  test('C17: a process that goes by what was kept of an older log takes nothing from those that know the present one', async () => {
    const [school, auth] = pair('a');
    await (await started(school, auth)).close();
    const late = new StateSnapshots({
      documents,
      collection: trustCollection,
      state: trustState(clock),
      clock,
      onError: () => undefined,
    });
    expect(await late.recall('school')).toBe(true);
    const present = pair('b');
    await (await started(...present)).close();
    for (const lane of [0, 1]) await late.from('school', lane, 'a');
    const { trust } = await started(...present);
    expect([trust.school('s0')?.issuer, trust.school('s1')?.issuer]).toEqual(['https://s0.test', 'https://s1.test']);
    late.record('school', 0, { position: 9, commitId: 'late' }, []);
    late.complete('school');
    await late.close();
    const { trust: last } = await started(...present);
    expect([last.school('s0')?.issuer, last.school('s1')?.issuer]).toEqual(['https://s0.test', 'https://s1.test']);
  });

  test('C17: a lane that another process discards while it is read is read again', async () => {
    const [school, auth] = pair('a');
    await (await started(school, auth)).close();
    // As documents that several processes have.
    Object.assign(documents, { exclusive: undefined });
    const { query } = documents;
    let isFirst = true;
    const kept = new SnapshotDocuments(documents, trustCollection);
    documents.query = async (...args) => {
      const [of] = args[2].where ?? [];
      if (isFirst && of && 'is' in of && of.is === 'school@a/0') {
        isFirst = false;
        for (const lane of [0, 1]) await kept.discard({ source: 'school', epoch: 'a', lane });
      }
      return query.apply(documents, args);
    };
    const { trust } = await started(school, auth);
    expect([isFirst, trust.school('s0')?.issuer, trust.school('s1')?.issuer]).toEqual([
      false,
      'https://s0.test',
      'https://s1.test',
    ]);
  });

  test('what only this process has is read once at a start', async () => {
    const [school, auth] = pair('a');
    await (await started(school, auth)).close();
    const { query } = documents;
    const read: string[] = [];
    documents.query = async (...args) => {
      const page = await query.apply(documents, args);
      read.push(...page.items.filter(({ body }) => 'part' in body).map(({ id }) => id));
      return page;
    };
    const { trust } = await started(school, auth);
    expect([trust.school('s0')?.issuer, trust.school('s1')?.issuer]).toEqual(['https://s0.test', 'https://s1.test']);
    expect(read.length).toBeGreaterThan(1);
    expect(read.toSorted()).toEqual([...new Set(read)].toSorted());
  });

  test('C17: so is it when the owner comes back with another log while this process runs', async () => {
    const [school, auth] = pair('a');
    const channel = memoryChannel();
    for (const source of [school, auth]) source.offerTo(channel);
    const following = followTrust({ channel, clock, documents, onError: () => undefined }, ['school', 'auth']);
    closing.push(channel, following);
    await following.caughtUp();
    const other = new Source('auth', 'b');
    other.says(0, published('k9'));
    other.offerTo(channel);
    await until(() => following.trust.key('s0', 'k9')?.kid === 'k9');
    expect(following.trust.key('s0', 'k0')).toBeUndefined();
  });

  test('E-B1: a school is where its lane moved it last, though the instance that wrote it was three minutes behind', async () => {
    const [school, auth] = pair('a');
    school.says(0, moved('https://b.test'), '2026-01-05T08:03:00.000Z');
    await (await started(school, auth)).close();
    school.says(0, moved('https://c.test'), at);
    const running = await started(school, auth);
    expect(running.trust.school('s0')?.issuer).toBe('https://c.test');
    await running.close();
    expect((await started(school, auth)).trust.school('s0')?.issuer).toBe('https://c.test');
  });

  test('E-B1: a process that keeps nothing unlearns the positions of a log that was replaced', async () => {
    const [school] = pair('a');
    school.says(0, provisioned('https://s0.test'));
    school.says(0, moved('https://b.test'));
    const channel = memoryChannel();
    school.offerTo(channel);
    const following = followTrust({ channel, clock, onError: () => undefined }, ['school']);
    closing.push(channel, following);
    await following.caughtUp();
    expect(following.trust.school('s0')?.issuer).toBe('https://b.test');
    const other = new Source('school', 'b');
    other.says(0, provisioned('https://new.test'));
    other.says(0, moved('https://c.test'));
    other.offerTo(channel);
    await until(() => following.trust.school('s0')?.issuer === 'https://c.test');
    expect(following.trust.school('s0')?.issuer).toBe('https://c.test');
  });

  test('where the log has no lives, everything is read at each start', async () => {
    const [school, auth] = pair();
    await (await started(school, auth)).close();
    auth.asked.length = 0;
    expect((await started(school, auth)).trust.key('s0', 'k0')?.kid).toBe('k0');
    expect(auth.asked[0]).toEqual([0, 0]);
  });

  test('two processes that share the documents save for each other', async () => {
    const [school, auth] = pair('a');
    const [one, two] = [await started(school, auth), await started(school, auth)];
    await Promise.all([one.close(), two.close()]);
    expect([...one.errors, ...two.errors]).toEqual([]);
    auth.asked.length = 0;
    await started(school, auth);
    expect(auth.asked.filter(([, after]) => after === 0)).toEqual([]);
  });

  test('documents that cannot be written are told of, and cost the next start some reading, nothing else', async () => {
    const [school, auth] = pair('a');
    const { apply } = documents;
    documents.apply = () => Promise.reject(new Error('no room'));
    const one = await started(school, auth);
    await one.close();
    expect(one.errors.map(String)).toContain('Error: no room');
    documents.apply = apply;
    expect((await started(school, auth)).trust.key('s0', 'k0')?.kid).toBe('k0');
  });
});
