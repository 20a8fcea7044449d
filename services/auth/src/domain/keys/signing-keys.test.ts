import { describe, expect, jest, test } from '@jest/globals';
import { memoryEventLog } from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { sealerOf } from '../../sealing/sealer.ts';
import { sign } from '../tokens/sign-jwt.ts';
import { published } from './key-ring.ts';
import { keepRotatingKeys } from './key-rotation.ts';
import { SigningKeys } from './signing-keys.ts';

const setUp = () => {
  const clock = new FakeClock();
  const log = memoryEventLog();
  const of = (secret: Buffer) =>
    new SigningKeys({ log, clock, ids: systemIds(clock), sealerOf: async () => sealerOf(secret) });
  return { log, of, clock };
};

describe('signing keys', () => {
  test('are made once for a school, by however many processes at once', async () => {
    const { of, log } = setUp();
    const secret = randomBytes(32);
    const rings = await Promise.all([of(secret), of(secret), of(secret)].map((keys) => keys.begin('s')));
    for (const ring of rings) expect(ring).toEqual(rings[0]);
    expect(rings[0]!.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
    expect(await log.head(log.laneOf('s'))).toBe(2);
    expect(await of(secret).begin('s')).toEqual(rings[0]);
  });

  test('lie sealed in the log', async () => {
    const { of, log } = setUp();
    const [key] = await of(randomBytes(32)).begin('s');
    const stored = JSON.stringify(await log.readLane(log.laneOf('s'), 0, 10));
    expect(stored).toContain(key!.kid);
    expect(stored).not.toMatch(/"d"|\\"d\\"/);
  });

  test('cannot be used with another key-encryption key', async () => {
    const { of } = setUp();
    await of(randomBytes(32)).begin('s');
    await expect(of(randomBytes(32)).signer('s', 'ES256')).rejects.toThrow(/KEY_ENCRYPTION_KEY/);
  });

  test('are made when the first token needs them, and only those that it needs', async () => {
    const keys = setUp().of(randomBytes(32));
    const algs = async () => (await keys.ring('s')).map(({ alg }) => alg);
    expect(await algs()).toEqual([]);
    expect((await keys.shown('s')).map(({ alg }) => alg)).toEqual(['ES256']);
    expect((await sign(keys, 's', 'ES256', 'at+jwt', { a: 1 })).split('.')).toHaveLength(3);
    expect(await algs()).toEqual(['ES256']);
    expect((await sign(keys, 's', 'RS256', 'JWT', { a: 1 })).split('.')).toHaveLength(3);
    expect(await algs()).toEqual(['ES256', 'RS256']);
  });

  test('that another process made a moment ago are known here at once', async () => {
    const { of } = setUp();
    const secret = randomBytes(32);
    const [here, there] = [of(secret), of(secret)];
    await here.shown('s');
    const { kid } = await there.signer('s', 'RS256');
    expect((await here.shown('s')).map(({ kid }) => kid)).toContain(kid);
    expect(await of(secret).verifier('s', kid, 'RS256')).toBeDefined();
  });

  test('that many ask for at once are made once in a process', async () => {
    const { of, log } = setUp();
    const keys = of(randomBytes(32));
    const made = jest.spyOn(globalThis.crypto.subtle, 'generateKey');
    const kids = await Promise.all(Array.from({ length: 20 }, async () => (await keys.signer('s', 'RS256')).kid));
    expect([new Set(kids).size, await log.head(log.laneOf('s')), made.mock.calls.length]).toEqual([1, 2, 2]);
    made.mockRestore();
  });

  test('sign only once this process would believe them', async () => {
    const { log, clock } = setUp();
    const believed = new Set<string>();
    const keys = new SigningKeys({
      log,
      clock,
      ids: systemIds(clock),
      sealerOf: async () => sealerOf(Buffer.alloc(32, 1)),
      isTrusted: (_, kid) => believed.has(kid),
    });
    let isSigned = false;
    const signing = keys.signer('s', 'ES256').then(({ kid }) => [(isSigned = true), kid]);
    while ((await keys.ring('s')).length === 0) await new Promise((tick) => setTimeout(tick, 1));
    await new Promise((tick) => setTimeout(tick, 50));
    expect(isSigned).toBe(false);
    const [{ kid } = { kid: '' }] = await keys.ring('s');
    believed.add(kid);
    expect(await signing).toEqual([true, kid]);
  });

  test('verify for their own school and algorithm only', async () => {
    const keys = setUp().of(randomBytes(32));
    const [es, rs] = await keys.begin('s');
    expect(await keys.verifier('s', es!.kid, 'ES256')).toBeDefined();
    expect(await keys.verifier('s', es!.kid, 'RS256')).toBeUndefined();
    expect(await keys.verifier('s', rs!.kid, 'HS256')).toBeUndefined();
    expect(await keys.verifier('other', es!.kid, 'ES256')).toBeUndefined();
  });

  test('OIDC Core §10.1.1: change over without a moment in which a token is refused', async () => {
    const { of, clock } = setUp();
    const keys = of(randomBytes(32));
    const [first] = await keys.begin('s');
    const kidNow = async () => (await keys.signer('s', 'ES256')).kid;
    await keys.stage('s');
    // Verifiers of another process read the ring now and then: what they knew a day ago has the key that signs today.
    const known = new Set(published(await keys.ring('s')).map(({ kid }) => kid));
    expect(known.size).toBe(4);
    expect(await kidNow()).toBe(first!.kid);
    clock.advance(86_400_000 - 1);
    await keys.advance('s');
    expect(await kidNow()).toBe(first!.kid);
    clock.advance(1);
    await keys.advance('s');
    const second = await kidNow();
    expect([second === first!.kid, known.has(second)]).toEqual([false, true]);
    clock.advance(14 * 60_000);
    await keys.advance('s');
    expect(await keys.verifier('s', first!.kid, 'ES256')).toBeDefined();
    clock.advance(60_000);
    await keys.advance('s');
    expect(await keys.verifier('s', first!.kid, 'ES256')).toBeUndefined();
    expect(await keys.formerVerifier('s', first!.kid, 'ES256')).toBeDefined();
    expect(published(await keys.ring('s'))).toHaveLength(2);
  });

  test('OIDC Core §10.1.1: rotate by themselves every 90 days', async () => {
    const { of, clock } = setUp();
    const keys = of(randomBytes(32));
    const kids = new Set([(await keys.begin('s'))[0]!.kid]);
    for (let hour = 0; hour <= 181 * 24; hour += 6) {
      clock.advance(6 * 3_600_000);
      await keys.advance('s');
      kids.add((await keys.signer('s', 'ES256')).kid);
    }
    expect(kids.size).toBe(3);
  });

  test('that were stolen are replaced at once, in every process that hears of it', async () => {
    const { log, clock } = setUp();
    const secret = randomBytes(32);
    const retired = new Set<string>();
    const of = () =>
      new SigningKeys({
        log,
        clock,
        ids: systemIds(clock),
        sealerOf: async () => sealerOf(secret),
        isTrusted: (_, kid) => !retired.has(kid),
      });
    const [here, there] = [of(), of()];
    const old = (await here.begin('s'))[0]!.kid;
    expect((await there.signer('s', 'ES256')).kid).toBe(old);
    await here.replace('s');
    retired.add(old);
    const fresh = (await here.signer('s', 'ES256')).kid;
    expect((await there.signer('s', 'ES256')).kid).toBe(fresh);
    expect([fresh === old, await here.verifier('s', old, 'ES256')]).toEqual([false, undefined]);
  });

  test('of a school without any are not rotated', async () => {
    const keys = setUp().of(randomBytes(32));
    expect(await keys.advance('s')).toEqual([]);
  });

  test('are looked after by one process at a time, which a failure does not end', async () => {
    const seen: string[] = [];
    const failed: string[] = [];
    const inUse: unknown[] = [];
    const keys = setUp().of(randomBytes(32));
    const ring = await keys.begin('good');
    const advance = async (school: string) => {
      seen.push(school);
      if (school === 'bad') throw new Error('away');
      return ring;
    };
    const documents = { tenants: async (_: unknown, after: string) => (after === '' ? ['bad', 'good'] : []) };
    const work = keepRotatingKeys({
      keys: { advance },
      documents,
      first: 1,
      every: 1,
      onError: (_, school) => failed.push(school!),
      seen: (each) => inUse.push(each),
    });
    while (seen.length < 4) await new Promise((tick) => setTimeout(tick, 1));
    await work.close();
    expect([seen.slice(0, 4), failed.slice(0, 2)]).toEqual([
      ['bad', 'good', 'bad', 'good'],
      ['bad', 'bad'],
    ]);
    const byStatus = { next: 0, current: ring.length, previous: 0 };
    expect([inUse[0], inUse.at(-1)]).toEqual([{ byStatus, oldestSince: ring[0]!.since }, undefined]);
  });
});
