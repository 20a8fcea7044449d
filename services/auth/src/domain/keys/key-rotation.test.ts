import { expect, test } from '@jest/globals';
import { memoryEventLog } from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import { trustState, verifier } from '@lyceum/oauth';
import { FakeClock } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { integrationEventOf } from '../../integration-events.ts';
import { sealerOf } from '../../sealing/sealer.ts';
import { lifetimes } from '../lifetimes.ts';
import { sign } from '../tokens/sign-jwt.ts';
import { SigningKeys } from './signing-keys.ts';

const [school, issuer] = ['school_1', 'https://school.test'];
const minute = 60_000;

/** A process that signs, and another that verifies by facts which reach it late. */
function setUp(lag: number) {
  const clock = new FakeClock();
  const log = memoryEventLog();
  const keys = new SigningKeys({
    log,
    clock,
    ids: systemIds(clock),
    sealerOf: async () => sealerOf(Buffer.alloc(32, 1)),
  });
  const trust = trustState(clock);
  const provisioned = {
    slug: 's',
    name: 's',
    host: 'h',
    base_url: issuer,
    currency: 'USD',
    locale: 'en',
    timezone: 'UTC',
  };
  const at = new Date(clock.now()).toISOString();
  trust.apply({ source: 'school', tenant: school, at, fact: { type: 'SchoolProvisioned', data: provisioned } });
  let seen = 0;
  const hear = async () => {
    for (const commit of await log.readLane(log.laneOf(school), seen, 1_000)) {
      if (Date.parse(commit.at) + lag > clock.now()) return;
      for (const event of commit.events) {
        const fact = integrationEventOf(event);
        if (fact) trust.apply({ source: 'auth', tenant: school, at: commit.at, fact });
      }
      seen = commit.position;
    }
  };
  const token = () => {
    const now = Math.floor(clock.now() / 1000);
    const [jti, exp] = [randomBytes(8).toString('hex'), now + lifetimes.accessToken];
    const claims = {
      iss: issuer,
      sub: 'account_1',
      aud: issuer,
      client_id: 'c',
      iat: now,
      exp,
      jti,
      scope: '',
      gid: 'g',
    };
    return sign(keys, school, 'ES256', 'at+jwt', { ...claims, school, role: 'owner' });
  };
  const { verify } = verifier({ trust, clock });
  return { clock, keys, hear, token, verify: (text: string) => verify(text, { school }) };
}

test('OIDC Core §10.1.1: a rotation refuses no token, even where facts arrive an hour late', async () => {
  const { clock, keys, hear, token, verify } = setUp(60 * minute);
  await keys.begin(school);
  clock.advance(60 * minute);
  await hear();
  const kids = new Set<string>();
  let alive: { readonly text: string; readonly until: number }[] = [];
  const refused: string[] = [];
  const live = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 1) {
      clock.advance(minute);
      await hear();
      await keys.advance(school);
      const text = await token();
      kids.add(JSON.parse(Buffer.from(text.split('.')[0]!, 'base64url').toString()).kid as string);
      alive = [...alive.filter(({ until }) => until > clock.now()), { text, until: clock.now() + 10 * minute }];
      for (const each of alive) await verify(each.text).catch((error: Error) => refused.push(error.message));
    }
  };
  await live(15);
  await keys.stage(school);
  await live(5);
  clock.advance(24 * 60 * minute - 10 * minute);
  await live(100);
  expect([kids.size, refused]).toEqual([2, []]);
  expect(await keys.ring(school)).toHaveLength(4);
  expect((await keys.ring(school)).filter(({ status }) => status === 'retired')).toHaveLength(2);
});

test('OIDC Core §10.1.1: after a theft nothing counts that a stolen key signed, as soon as the fact is known', async () => {
  const { clock, keys, hear, token, verify } = setUp(0);
  await keys.begin(school);
  await hear();
  const before = await token();
  expect((await verify(before)).subject).toBe('account_1');
  clock.advance(1_000);
  await keys.replace(school);
  await hear();
  await expect(verify(before)).rejects.toThrow(/unknown key/);
  expect((await verify(await token())).subject).toBe('account_1');
});
