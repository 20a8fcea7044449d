import { memoryEventLog } from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { sealerOf } from '../sealing/sealer.ts';
import { sign } from '../token/signing.ts';
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
    expect(await log.head(log.laneOf('s'))).toBe(1);
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

  test('are made when the first token needs them', async () => {
    const keys = setUp().of(randomBytes(32));
    expect((await sign(keys, 's', 'RS256', 'JWT', { a: 1 })).split('.')).toHaveLength(3);
    expect((await keys.ring('s')).length).toBe(2);
  });

  test('verify for their own school and algorithm only', async () => {
    const keys = setUp().of(randomBytes(32));
    const [es, rs] = await keys.begin('s');
    expect(await keys.verifier('s', es!.kid, 'ES256')).toBeDefined();
    expect(await keys.verifier('s', es!.kid, 'RS256')).toBeUndefined();
    expect(await keys.verifier('s', rs!.kid, 'HS256')).toBeUndefined();
    expect(await keys.verifier('other', es!.kid, 'ES256')).toBeUndefined();
  });
});
