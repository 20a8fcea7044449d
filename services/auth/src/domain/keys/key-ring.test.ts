import { describe, expect, test } from '@jest/globals';
import type { SigningAlg } from '@lyceum/contracts';
import { given } from '@lyceum/testkit';
import type { KeyRingEvent } from './key-ring.events.ts';
import { type NewKey, currentKey, dueAlgs, keyRingDecider, paceOf, published } from './key-ring.ts';

const key = (kid: string, alg: SigningAlg = 'ES256'): NewKey => ({ kid, alg, publicJwk: { kid }, sealed: 's' });
const added = (kid: string, alg: SigningAlg = 'ES256'): KeyRingEvent => ({
  type: 'SigningKeyAdded',
  data: { kid, alg, public_jwk: { kid }, sealed: 's' },
});
const activated = (kid: string): KeyRingEvent => ({ type: 'SigningKeyActivated', data: { kid } });
const retired = (kid: string): KeyRingEvent => ({ type: 'SigningKeyRetired', data: { kid } });
/** When `given` says that events were committed. */
const born = given(keyRingDecider, added('a')).state[0]!.since;
const [minute, day] = [60, 86_400];
const statuses = (...events: KeyRingEvent[]) =>
  given(keyRingDecider, ...events).state.map(({ kid, status }) => `${kid} ${status}`);

describe('the keys of a school', () => {
  test('begin once for each algorithm, and sign from the beginning', () => {
    const begin = { type: 'BeginKeyRing', keys: [key('a'), key('b', 'RS256')] } as const;
    given(keyRingDecider).when(begin).then(added('a'), added('b', 'RS256'));
    given(keyRingDecider, added('a')).when(begin).then(added('b', 'RS256'));
    given(keyRingDecider, added('a'), added('b', 'RS256')).when(begin).unchanged();
    expect(statuses(added('a'), added('b', 'RS256'))).toEqual(['a current', 'b current']);
  });

  test('are published before they sign, and verify after', () => {
    const history = [added('a'), added('r', 'RS256'), added('b')];
    expect(statuses(...history)).toEqual(['a current', 'r current', 'b next']);
    expect(statuses(...history, activated('b'))).toEqual(['a previous', 'r current', 'b current']);
    const done = given(keyRingDecider, ...history, activated('b'), retired('a')).state;
    expect(done.map(({ status, sealed }) => [status, sealed])).toEqual([
      ['retired', ''],
      ['current', 's'],
      ['current', 's'],
    ]);
    expect(published(done).map(({ kid }) => kid)).toEqual(['r', 'b']);
    expect(currentKey(done, 'ES256')?.kid).toBe('b');
  });

  test('have one successor at a time for each algorithm', () => {
    given(keyRingDecider, added('a'), added('b'))
      .when({ type: 'StageKeys', keys: [key('c')] })
      .unchanged();
    given(keyRingDecider, added('a'), added('b'))
      .when({ type: 'StageKeys', keys: [key('c'), key('r', 'RS256')] })
      .then(added('r', 'RS256'));
    given(keyRingDecider)
      .when({ type: 'StageKeys', keys: [key('c')] })
      .rejected('not_found');
  });

  test('change over a day after the successor was published, and not before', () => {
    const staged = given(keyRingDecider, added('a'), added('b'));
    staged.when({ type: 'AdvanceKeys', now: born + day - 1 }).unchanged();
    staged.when({ type: 'AdvanceKeys', now: born + day }).then(activated('b'));
  });

  test('verify until the last token that they signed has expired', () => {
    const changed = given(keyRingDecider, added('a'), added('b'), activated('b'));
    changed.when({ type: 'AdvanceKeys', now: born + 15 * minute - 1 }).unchanged();
    changed.when({ type: 'AdvanceKeys', now: born + 15 * minute }).then(retired('a'));
    given(keyRingDecider, added('a'))
      .when({ type: 'AdvanceKeys', now: born + 1000 * day })
      .unchanged();
  });

  test('get successors a day before they have signed for 90 days', () => {
    const ring = given(keyRingDecider, added('a'), added('r', 'RS256'), added('s', 'RS256')).state;
    expect(dueAlgs(ring, born + 89 * day - 1)).toEqual([]);
    expect(dueAlgs(ring, born + 89 * day)).toEqual(['ES256']);
    expect(dueAlgs([], born)).toEqual([]);
  });

  test('of a shorter life are published for three quarters of it before they sign', () => {
    const [pace, usual] = [paceOf(20), paceOf(90 * day)];
    expect([pace, usual]).toEqual([
      { signs: 20, announced: 15 },
      { signs: 90 * day, announced: day },
    ]);
    const ring = given(keyRingDecider, added('a'), added('r', 'RS256'), added('s', 'RS256')).state;
    expect([dueAlgs(ring, born + 4, pace), dueAlgs(ring, born + 5, pace)]).toEqual([[], ['ES256']]);
    const staged = given(keyRingDecider, added('a'), added('b'));
    staged.when({ type: 'AdvanceKeys', now: born + 14, pace }).unchanged();
    staged.when({ type: 'AdvanceKeys', now: born + 15, pace }).then(activated('b'));
  });

  test('are all replaced at once after a theft, those that wait too', () => {
    given(keyRingDecider, added('a'), added('b'))
      .when({ type: 'ReplaceKeys', keys: [key('c')] })
      .then(added('c'), activated('c'), retired('a'), retired('b'));
    expect(statuses(added('a'), added('b'), added('c'), activated('c'), retired('a'), retired('b'))).toEqual([
      'a retired',
      'b retired',
      'c current',
    ]);
  });
});
