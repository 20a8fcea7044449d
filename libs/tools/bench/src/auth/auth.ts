import { type OurVariant, openOurs } from './auth-ours.ts';
import { type PeerVariant, openPeer } from './auth-peer.ts';
import {
  type Work,
  authorizeAndExchange,
  codeExchange,
  discovery,
  introspection,
  rediscovery,
  refresh,
  registering,
  userinfo,
} from './auth-work.ts';
import type { Authority } from './authority.ts';
import { authoritySide } from './authority-side.ts';
import type { Case, Goal, Side } from '../measuring/case.ts';

/** Milliseconds of a run before those that count, and how many there are: after so many, processor time does not fall any more. */
const preheating = 1_500;
const preheatings = 10;

const side = (name: string, work: Work, open: () => Promise<Authority>, goal?: Goal): Side =>
  authoritySide(name, work, open, {
    goal,
    async warm(round) {
      for (let run = 0; run < preheatings; run += 1) await round(preheating);
    },
  });

const ours = (work: Work, variant: OurVariant): Side =>
  side(`ours, on disk${variant.redis ? ' and Redis' : ''}${variant.direct ? ', without the gateway' : ''}`, work, () =>
    openOurs(variant),
  );

const peer = (work: Work, variant: PeerVariant, atLeast?: number): Side =>
  side(
    `node-oidc-provider, ${variant.tokens === 'ES256' ? 'JWT ES256' : 'opaque, RS256'}, ${variant.redis ? 'Redis' : 'memory'}`,
    work,
    () => openPeer(variant),
    atLeast === undefined ? undefined : { atLeast, per: 'CPU second' },
  );

const [es256, rs256] = [{ idTokenAlg: 'ES256' }, { idTokenAlg: 'RS256' }] as const;
const [likeForLike, asItComes] = [{ tokens: 'ES256' }, { tokens: 'default' }] as const;

/** The same algorithms on both sides; ours is asked through the gateway, and once more without it. */
const alike = (name: string, work: Work, atLeast?: number): Case => ({
  name: `auth, ${name}, ES256 on both sides`,
  unit: work.unit,
  sides: [ours(work, es256), ours(work, { ...es256, direct: true }), peer(work, likeForLike, atLeast)],
});

/** What each does when nothing is configured. */
const defaults = (name: string, work: Work, atLeast: number): Case => ({
  name: `auth, ${name}, as both come`,
  unit: work.unit,
  sides: [ours(work, rs256), peer(work, asItComes, atLeast)],
});

const onRedis = (name: string, work: Work): Case => ({
  name: `auth, ${name}, ES256 on both sides, Redis`,
  unit: work.unit,
  sides: [ours(work, { ...es256, redis: true }), peer(work, { ...likeForLike, redis: 'uncounted' }, 3.5)],
});

/** The peer neither introspects JWT access tokens nor takes them for userinfo: it is asked about its opaque ones. */
export const authCases: readonly Case[] = [
  alike('code exchange', codeExchange, 2.5),
  defaults('code exchange', codeExchange, 3.5),
  alike('refresh', refresh, 2.5),
  defaults('refresh', refresh, 3.5),
  alike('authorize and exchange', authorizeAndExchange, 2.3),
  defaults('introspection', introspection, 4),
  defaults('userinfo', userinfo, 4),
  defaults('registration', registering, 3),
  defaults('discovery', discovery, 5),
  defaults('discovery again, 304', rediscovery, 5),
  onRedis('code exchange', codeExchange),
  onRedis('refresh', refresh),
];
