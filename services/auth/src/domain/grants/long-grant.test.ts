import { expect, test } from '@jest/globals';
import { type EventLog, memoryEventLog, memorySnapshots, withSnapshots } from '@lyceum/eventlog';
import { isRejection, systemIds } from '@lyceum/kernel';
import { FakeClock } from '@lyceum/testkit';
import { read, seconds, write } from '../write.ts';
import type { GrantState } from './grant.state.ts';
import { type GrantCommand, grantDecider } from './grant.ts';

const target = { school: 's', stream: 'grant-00000000-0000-4000-8000-000000000001', meta: { actor: 'a' } };
const hashOf = (turn: number): string => `${turn}`.padStart(43, '0').split('').reverse().join('');

/** A log that counts the commits it gives out. */
function counting() {
  const inner = memoryEventLog();
  const counted = { commits: 0 };
  const load: EventLog['load'] = async (...what) => {
    const loaded = await inner.load(...what);
    counted.commits += loaded.commits.length;
    return loaded;
  };
  return { log: withSnapshots({ ...inner, load }, memorySnapshots()), inner, counted };
}

test('a grant of 1,000 refreshes is read from its last hundred, and still knows the first refresh token', async () => {
  const { log, inner, counted } = counting();
  const clock = new FakeClock();
  const ids = systemIds(clock);
  const does = async (command: GrantCommand): Promise<GrantState> => {
    const done = await write({ log, clock, ids }, grantDecider, target, command);
    if (isRejection(done)) throw new Error(done.reason);
    return done.state;
  };
  const now = () => seconds(clock);
  const refresh = (turn: number) =>
    does({
      type: 'RefreshTokens',
      presented: hashOf(turn),
      jti: `j${turn}`,
      refreshHash: hashOf(turn + 1),
      scopes: ['openid'],
      grace: 30,
      now: now(),
    });
  const person = { client: 'c', account: 'a', sid: 's', authTime: now(), amr: ['pwd'] };
  await does({ type: 'IssueGrant', ...person, scopes: ['openid'], resource: [], now: now() });
  await does({ type: 'RedeemCode', jti: 'j', refreshHash: hashOf(0), audience: ['https://a'], now: now() });
  for (let turn = 0; turn < 1_000; turn += 1) {
    clock.advance(600_000);
    counted.commits = 0;
    await refresh(turn);
    expect(counted.commits).toBeLessThanOrEqual(101);
  }
  const known = await read({ log }, grantDecider, target.school, target.stream);
  expect(known).toEqual(await read({ log: inner }, grantDecider, target.school, target.stream));
  expect((await refresh(0))?.revoked).toBe('refresh_reused');
});
