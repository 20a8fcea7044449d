import { type FactSource, type SigningAlg, authFacts, schoolFacts } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { denySet } from './deny-set.ts';
import { learnAuthFact, learnSchoolFact } from './standing-facts.ts';
import { standings } from './standings.ts';
import type { TokenFacts, Trust, TrustedKey, TrustedSchool } from './trust.ts';

/** A crossing fact with its envelope: who says it, of which school, when it was committed (RFC 3339 UTC). */
export interface FactDelivery {
  readonly source: FactSource;
  readonly tenant: string;
  readonly at: string;
  readonly fact: { readonly type: string; readonly data: unknown };
}

/** Trust that is fed by facts. */
export interface TrustState extends Trust {
  /** Takes a fact in; facts that do not concern trust are ignored. Idempotent. Throws when the fact is malformed. */
  apply(delivery: FactDelivery): void;
}

interface School {
  issuer: { readonly url: string; readonly since: number } | undefined;
  readonly keys: Map<string, TrustedKey>;
  /** Retired for good: a repeated announcement does not bring a key back. */
  readonly retired: Set<string>;
}

/**
 * What a process knows of schools, keys, members and revocations, in memory, built from the facts of school and auth in
 * any interleaving of the two. Revocations are forgotten once the tokens concerned have expired.
 */
export function trustState(clock: Clock): TrustState {
  const schools = new Map<string, School>();
  const denied = denySet(clock);
  const known = standings(clock);

  const of = (tenant: string): School => {
    let school = schools.get(tenant);
    if (!school) schools.set(tenant, (school = { issuer: undefined, keys: new Map(), retired: new Set() }));
    return school;
  };
  const trusted = (id: string): TrustedSchool | undefined => {
    const url = schools.get(id)?.issuer?.url;
    return url === undefined ? undefined : { id, issuer: url };
  };

  const holders = (school: string, { subject, client }: Pick<TokenFacts, 'subject' | 'client'>) =>
    [known.of(school, 'subject', subject), known.of(school, 'client', client)].filter((each) => each !== undefined);
  const notBefore: Trust['notBefore'] = (school, token) =>
    Math.max(0, ...holders(school, token).map((each) => Math.ceil(each.notBefore / 1000)));

  return {
    school: trusted,
    key: (school, kid) => schools.get(school)?.keys.get(kid),
    denied: (school, token) =>
      denied.has(school, 'jti', token.jti) ||
      denied.has(school, 'grant', token.grant) ||
      token.issued < notBefore(school, token) ||
      holders(school, token).some(({ blocked }) => blocked !== false),
    role: (school, subject) => known.of(school, 'subject', subject)?.role,
    notBefore,
    apply({ source, tenant, at, fact }) {
      if (source === 'school') {
        applySchoolFact(of(tenant), fact, Date.parse(at));
        learnSchoolFact(known, tenant, at, fact);
      }
      if (source !== 'auth') return;
      learnAuthFact(known, tenant, at, fact);
      applyKeyFact(of(tenant), fact);
      if (fact.type === 'GrantRevoked') {
        const { grant, until } = authFacts.GrantRevoked.data.parse(fact.data);
        denied.add(tenant, 'grant', grant, until);
      } else if (fact.type === 'TokenRevoked') {
        const { jti, until } = authFacts.TokenRevoked.data.parse(fact.data);
        denied.add(tenant, 'jti', jti, until);
      }
    },
  };
}

function applySchoolFact(school: School, fact: FactDelivery['fact'], at: number): void {
  if (fact.type === 'SchoolProvisioned') {
    const { base_url } = schoolFacts.SchoolProvisioned.data.parse(fact.data);
    school.issuer ??= { url: base_url, since: at };
  } else if (fact.type === 'SchoolMoved') {
    const { base_url } = schoolFacts.SchoolMoved.data.parse(fact.data);
    if (!school.issuer || at >= school.issuer.since) school.issuer = { url: base_url, since: at };
  }
}

function applyKeyFact(school: School, fact: FactDelivery['fact']): void {
  if (fact.type === 'SigningKeyPublished') {
    const { kid, alg, public_jwk } = authFacts.SigningKeyPublished.data.parse(fact.data);
    if (school.retired.has(kid) || school.keys.has(kid)) return;
    school.keys.set(kid, { kid, alg, key: publicKey(alg, public_jwk) });
  } else if (fact.type === 'SigningKeyRetired') {
    const { kid } = authFacts.SigningKeyRetired.data.parse(fact.data);
    school.keys.delete(kid);
    school.retired.add(kid);
  }
}

const fits: Readonly<Record<string, (key: KeyObject) => boolean>> = {
  ES256: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  RS256: (key) => key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
  EdDSA: (key) => key.asymmetricKeyType === 'ed25519',
} satisfies Record<SigningAlg | 'EdDSA', (key: KeyObject) => boolean>;

/**
 * A key is used with the one algorithm that it was published for.
 * @see RFC 7518 §3.3, §3.4, RFC 8037 §3.1
 */
function publicKey(alg: string, jwk: Record<string, unknown>): KeyObject {
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  if (!Object.hasOwn(fits, alg) || !fits[alg]!(key))
    throw new Error(`this ${key.asymmetricKeyType} key cannot serve ${alg}`);
  return key;
}
