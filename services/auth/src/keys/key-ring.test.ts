import { given } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import type { SigningAlg } from '@lyceum/contracts';
import type { KeyRingEvent } from './key-ring.events.ts';
import { type RingKey, currentKey, keyRing } from './key-ring.ts';

const key = (kid: string, alg: SigningAlg = 'ES256'): RingKey => ({ kid, alg, publicJwk: { kid }, sealed: 's' });
const added = (kid: string, alg: SigningAlg = 'ES256'): KeyRingEvent => ({
  type: 'SigningKeyAdded',
  data: { kid, alg, public_jwk: { kid }, sealed: 's' },
});

describe('the keys of a school', () => {
  test('begin once', () => {
    const begin = { type: 'begin', keys: [key('a'), key('b', 'RS256')] } as const;
    given(keyRing).when(begin).then(added('a'), added('b', 'RS256'));
    given(keyRing, added('a')).when(begin).unchanged();
  });

  test('the newest key of an algorithm signs', () => {
    const ring = given(keyRing, added('a'), added('r', 'RS256'), added('b')).state;
    expect([currentKey(ring, 'ES256')?.kid, currentKey(ring, 'RS256')?.kid]).toEqual(['b', 'r']);
  });

  test('a key is retired only when another one signs', () => {
    given(keyRing, added('a')).when({ type: 'retire', kid: 'a' }).rejected('invalid_state');
    given(keyRing, added('a'), added('b', 'RS256')).when({ type: 'retire', kid: 'a' }).rejected('invalid_state');
    given(keyRing, added('a')).when({ type: 'retire', kid: 'x' }).rejected('not_found');
    const retired: KeyRingEvent = { type: 'SigningKeyRetired', data: { kid: 'a' } };
    given(keyRing, added('a'))
      .when({ type: 'add', keys: [key('b')] })
      .then(added('b'));
    given(keyRing, added('a'), added('b')).when({ type: 'retire', kid: 'a' }).then(retired);
    expect(given(keyRing, added('a'), added('b'), retired).state.map(({ kid }) => kid)).toEqual(['b']);
  });
});
