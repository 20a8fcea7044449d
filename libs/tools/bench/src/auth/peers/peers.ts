import { readFileSync } from 'node:fs';
import type { Case, Side } from '../../measuring/case.ts';
import { openOurs } from '../auth-ours.ts';
import { type PeerVariant, openPeer } from '../auth-peer.ts';
import { type Work, codeExchange, introspection, refresh, registering, userinfo } from '../auth-work.ts';
import { authoritySide } from '../authority-side.ts';
import type { Authority } from '../authority.ts';
import { openHydra } from './hydra.ts';
import { servers } from './installed.ts';
import { openKeycloak } from './keycloak.ts';

const { devDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Rounds before those that count, each of so many milliseconds, for a server that compiles while it runs. */
const [preheating, preheatings] = [2_000, 6];

const side = (
  name: string,
  about: string,
  work: Work,
  open: () => Promise<Authority>,
  warmUps: number = preheatings,
): Side =>
  authoritySide(name, work, open, {
    about,
    async warm(round) {
      for (let run = 0; run < warmUps; run += 1) await round(preheating);
    },
  });

const ours = (work: Work): Side =>
  side(
    'ours',
    'One process with all services of the platform, from its build, asked through its gateway, which counts requests. Codes and counters in memory; grants, refresh tokens and clients in the event log, on disk (fsync) before the answer. Access and ID tokens are JWTs by ES256.',
    work,
    () => openOurs({ idTokenAlg: 'ES256' }),
  );

const keycloak = (work: Work): Side =>
  side(
    `Keycloak ${servers.keycloak.version}`,
    'One process (JVM, options of its own script), H2 in a file, one node. Codes and sessions in memory; sessions are written to H2 too, which writes to its file later: less durable than ours. Access and ID tokens are JWTs by ES256, refresh tokens JWTs by HS512 that rotate. 16 sessions. Registration is open to strangers, without the limit of 200 clients and the list of hosts that it has by default.',
    work,
    openKeycloak,
  );

const hydra = (work: Work): Side =>
  side(
    `Ory Hydra ${servers.hydra.version}, PostgreSQL`,
    'One process and the PostgreSQL of the distribution, whose processor time counts; every commit is on disk (fsync) before the answer. On SQLite it does not answer 16 connections (“database is locked”). Access and ID tokens are JWTs by ES256; refresh tokens are opaque and rotate. Secrets of clients are hashed by one round of PBKDF2, as ours are by one hash; by default it takes 25,000. Introspection is at the port of administrators and asks for no authentication of the client.',
    work,
    openHydra,
    1,
  );

const nodeProvider = (work: Work, variant: PeerVariant): Side =>
  side(
    `node-oidc-provider ${devDependencies['oidc-provider']}, ${variant.tokens === 'ES256' ? 'JWTs' : 'opaque tokens'}, ${variant.redis ? 'Redis' : 'memory'}`,
    [
      'One process with nothing but the library,',
      variant.redis
        ? 'all state in Redis, every write on disk (fsync) before its answer; the processor time of Redis counts.'
        : 'all state in memory: nothing is durable.',
      variant.tokens === 'ES256'
        ? 'Access and ID tokens are JWTs by ES256; refresh tokens are opaque and rotate.'
        : 'Access tokens are opaque, ID tokens by RS256: it neither introspects JWTs nor takes them for userinfo.',
    ].join(' '),
    work,
    () => openPeer(variant),
  );

/** Each server beside ours; a server whose state is on disk is the nearest to it. */
const beside = (name: string, work: Work, tokens: PeerVariant['tokens']): Case => ({
  name: `peers, ${name}`,
  unit: work.unit,
  sides: [
    ours(work),
    keycloak(work),
    hydra(work),
    nodeProvider(work, { tokens, redis: 'counted' }),
    nodeProvider(work, { tokens }),
  ],
});

/** Ours beside authorization servers that users would pick: the same client, PKCE, 16 connections, per second of processor time. */
export const peerCases: readonly Case[] = [
  beside('code exchange', codeExchange, 'ES256'),
  beside('refresh', refresh, 'ES256'),
  beside('introspection', introspection, 'default'),
  beside('userinfo', userinfo, 'default'),
  beside('registration', registering, 'default'),
];
