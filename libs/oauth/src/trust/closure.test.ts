import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { type TrustState, trustState } from '../index.ts';

let clock: FakeClock;
let trust: TrustState;
beforeEach(() => {
  clock = new FakeClock();
  trust = trustState(clock);
});

const at = '2026-01-05T08:00:00.000Z';
const school = (type: string, data: unknown, tenant = 's1') =>
  trust.apply({ source: 'school', tenant, at, fact: { type, data } });

describe('a school that is not open', () => {
  test('is known with the reason, until it is resumed, in that school only', () => {
    expect(trust.closure?.('s1')).toBeUndefined();
    school('SchoolSuspended', {});
    expect([trust.closure?.('s1'), trust.closure?.('s2')]).toEqual(['suspended', undefined]);
    school('SchoolResumed', {});
    expect(trust.closure?.('s1')).toBeUndefined();
    school('SchoolClosed', {});
    expect(trust.closure?.('s1')).toBe('closed');
    trust.forget('school');
    expect(trust.closure?.('s1')).toBeUndefined();
  });

  test('is known over a restart by what was kept last', () => {
    const kept = ['SchoolSuspended', 'SchoolResumed', 'SchoolClosed'].map((type) => school(type, {})[0]!);
    expect(new Set(kept.map(({ id }) => id)).size).toBe(1);
    const closures = kept.map((snapshot) => {
      const next = trustState(clock);
      next.apply({ source: 'school', tenant: 's1', at, fact: { type: 'SchoolSuspended', data: {} } });
      next.recall(snapshot);
      return next.closure?.('s1');
    });
    expect(closures).toEqual(['suspended', undefined, 'closed']);
  });
});
