import { type FactSource, authFacts, schoolFacts } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { type DenySet, denySet } from './deny-set.ts';
import { type SchoolKeys, publicKey, schoolKeys } from './school-keys.ts';
import { SchoolAddresses } from './school-addresses.ts';
import { authStatusChange, schoolStatusChange } from './status-facts.ts';
import { type TokenStatuses, tokenStatuses } from './token-statuses.ts';
import { type Remembered, type TrustSnapshot, snapshotOf } from './trust-snapshot.ts';
import type { Closure, TokenFacts, Trust } from './trust.ts';

/**
 * An integration event with its envelope: its source, its school, when it was committed (RFC 3339 UTC), and where in the
 * lane of the school. The position says which of two facts is the later one; clocks of machines do not.
 */
export interface FactDelivery {
  readonly source: FactSource;
  readonly tenant: string;
  readonly at: string;
  /** A fact without one is taken for the newest. */
  readonly position?: number | undefined;
  readonly fact: { readonly type: string; readonly data: unknown };
}

/** Trust that is fed by facts. */
export interface TrustState extends Trust {
  /**
   * Applies a fact, and returns what of it is worth keeping over a restart; facts that do not concern trust are ignored.
   * Idempotent. Throws when the fact is malformed.
   */
  apply(delivery: FactDelivery): readonly TrustSnapshot[];
  /** Restores what was kept. */
  recall(memory: TrustSnapshot): void;
  /** Discards everything that comes from a source. */
  forget(source: FactSource): void;
}

/** What is known, by its source. */
interface Known {
  readonly addresses: SchoolAddresses;
  readonly keys: SchoolKeys;
  readonly denied: DenySet;
  readonly tokenStatuses: Readonly<Record<'school' | 'auth', TokenStatuses>>;
  /** Schools of which a source publishes nothing any more. */
  readonly withheld: Readonly<Record<'school' | 'auth', Set<string>>>;
  /** Schools that are not open. */
  readonly closures: Map<string, Closure>;
}

/**
 * What a process knows of schools, keys, members and revocations, in memory, built from the facts of school and auth in
 * any interleaving of the two. Revocations are forgotten once the tokens concerned have expired.
 */
export function trustState(clock: Clock): TrustState {
  const known: Known = {
    addresses: new SchoolAddresses(),
    keys: schoolKeys(),
    denied: denySet(clock),
    tokenStatuses: { school: tokenStatuses(clock), auth: tokenStatuses(clock) },
    withheld: { school: new Set(), auth: new Set() },
    closures: new Map(),
  };
  return {
    ...answers(known),
    apply({ source, tenant, at, position, fact }) {
      if (source !== 'school' && source !== 'auth') return [];
      if (fact.type === 'FactsWithheld' || fact.type === 'FactsResumed')
        return withholding(known, source, tenant, fact.type === 'FactsWithheld');
      if (source === 'school')
        return [
          ...issuerFact(known, tenant, { at, position }, fact),
          ...domainFact(known, tenant, at, fact),
          ...closureFact(known, tenant, fact),
          ...statusFact(known, source, tenant, at, fact),
        ];
      return [
        ...keyFact(known.keys, tenant, fact),
        ...revocation(known.denied, tenant, fact),
        ...statusFact(known, source, tenant, at, fact),
      ];
    },
    recall({ source, body, until }) {
      if (source === 'school' || source === 'auth') recall(known, source, body, until);
    },
    forget(source) {
      if (source === 'school') known.addresses.clear();
      if (source === 'school') known.closures.clear();
      if (source === 'auth') known.keys.clear();
      if (source === 'auth') known.denied.clear();
      if (source === 'school' || source === 'auth') known.tokenStatuses[source].clear();
      if (source === 'school' || source === 'auth') known.withheld[source].clear();
    },
  };
}

function answers({
  addresses,
  keys,
  denied,
  withheld,
  closures,
  tokenStatuses: { school: bySchool, auth: byAuth },
}: Known): Trust {
  const statusesOf = (school: string, { subject, client }: Pick<TokenFacts, 'subject' | 'client'>) =>
    [
      bySchool.of(school, 'subject', subject),
      byAuth.of(school, 'subject', subject),
      byAuth.of(school, 'client', client),
    ].filter((each) => each !== undefined);
  /** Seconds; a token of the very second counts as from before, for its time says no more. */
  const notBefore = (school: string, token: TokenFacts): number =>
    Math.max(0, ...statusesOf(school, token).map((each) => Math.ceil(each.notBefore / 1000)));

  return {
    school: (id) => addresses.of(id),
    key: (school, kid) => keys.find(school, kid),
    denied: (school, token) =>
      denied.has(school, 'jti', token.jti) ||
      denied.has(school, 'grant', token.grant) ||
      token.issued < notBefore(school, token) ||
      statusesOf(school, token).some(({ blocked }) => blocked !== false),
    withheld: (school) => withheld.school.has(school) || withheld.auth.has(school),
    closure: (school) => closures.get(school),
    role: (school, subject) => bySchool.of(school, 'subject', subject)?.role,
  };
}

type Fact = FactDelivery['fact'];

function issuerFact(
  { addresses }: Known,
  school: string,
  { at, position }: Pick<FactDelivery, 'at' | 'position'>,
  { type, data }: Fact,
): readonly TrustSnapshot[] {
  const before = addresses.issuer(school);
  // Only a repeated fact has an earlier position. What an older release kept has none, and was received before.
  const isRepeated = position !== undefined && before?.position !== undefined && position < before.position;
  let url: string | undefined;
  if (type === 'SchoolProvisioned' && !before) url = schoolFacts.SchoolProvisioned.data.parse(data).base_url;
  if (type === 'SchoolMoved' && !isRepeated) url = schoolFacts.SchoolMoved.data.parse(data).base_url;
  if (url === undefined) return [];
  const issuer = { url, since: Date.parse(at), ...(position === undefined ? {} : { position }) };
  addresses.setIssuer(school, issuer);
  return [snapshotOf('school', { kind: 'issuer', school, ...issuer })];
}

/** A domain that is removed is of no use at once: its snapshot need not be kept. */
function domainFact({ addresses }: Known, school: string, at: string, { type, data }: Fact): readonly TrustSnapshot[] {
  const isThere = type === 'DomainVerified';
  if (!isThere && type !== 'DomainRemoved') return [];
  const { domain } = schoolFacts[type].data.parse(data);
  addresses.setDomain(school, domain, isThere);
  return [snapshotOf('school', { kind: 'domain', school, domain, isThere }, isThere ? undefined : Date.parse(at))];
}

const closureAfter = new Map<string, Closure | undefined>([
  ['SchoolSuspended', 'suspended'],
  ['SchoolResumed', undefined],
  ['SchoolClosed', 'closed'],
]);

function closureFact(known: Known, school: string, { type }: Fact): readonly TrustSnapshot[] {
  if (!closureAfter.has(type)) return [];
  const closure = closureAfter.get(type);
  setClosure(known, school, closure);
  return [snapshotOf('school', { kind: 'closure', school, ...(closure ? { closure } : {}) })];
}

function setClosure({ closures }: Known, school: string, closure: Closure | undefined): void {
  if (closure) closures.set(school, closure);
  else closures.delete(school);
}

function withholding({ withheld }: Known, source: 'school' | 'auth', school: string, isThere: boolean) {
  if (isThere) withheld[source].add(school);
  else withheld[source].delete(school);
  return [snapshotOf(source, { kind: 'withheld', school, isThere })];
}

function keyFact(keys: SchoolKeys, school: string, { type, data }: Fact): readonly TrustSnapshot[] {
  if (type === 'SigningKeyPublished') {
    const { kid, alg, public_jwk: jwk } = authFacts.SigningKeyPublished.data.parse(data);
    if (keys.has(school, kid)) return [];
    publicKey(alg, jwk);
    keys.publish(school, kid, alg, jwk);
    return [snapshotOf('auth', { kind: 'key', school, kid, alg, jwk })];
  }
  if (type !== 'SigningKeyRetired') return [];
  const { kid } = authFacts.SigningKeyRetired.data.parse(data);
  keys.retire(school, kid);
  return [snapshotOf('auth', { kind: 'retired', school, kid })];
}

function revocation(denied: DenySet, school: string, { type, data }: Fact): readonly TrustSnapshot[] {
  const deny = (what: 'jti' | 'grant', id: string, time: string): readonly TrustSnapshot[] => {
    const until = denied.add(school, what, id, time);
    return until === undefined ? [] : [snapshotOf('auth', { kind: 'denied', school, what, id }, until)];
  };
  if (type === 'GrantRevoked') {
    const { grant, until } = authFacts.GrantRevoked.data.parse(data);
    return deny('grant', grant, until);
  }
  if (type !== 'TokenRevoked') return [];
  const { jti, until } = authFacts.TokenRevoked.data.parse(data);
  return deny('jti', jti, until);
}

function statusFact(
  known: Known,
  source: 'school' | 'auth',
  school: string,
  at: string,
  fact: Fact,
): readonly TrustSnapshot[] {
  const found = source === 'school' ? schoolStatusChange(fact) : authStatusChange(fact);
  if (!found) return [];
  const { holder, id, ...change } = found;
  const changed = known.tokenStatuses[source].record(school, holder, id, { at, ...change });
  if (!changed) return [];
  const { until, role, ...rest } = changed;
  return [snapshotOf(source, { kind: 'standing', school, holder, id, ...rest, ...(role ? { role } : {}) }, until)];
}

function recall(known: Known, source: 'school' | 'auth', body: Remembered, until = 0): void {
  switch (body.kind) {
    case 'issuer':
      return known.addresses.setIssuer(body.school, body);
    case 'domain':
      return known.addresses.setDomain(body.school, body.domain, body.isThere);
    case 'key':
      return known.keys.publish(body.school, body.kid, body.alg, body.jwk);
    case 'withheld':
      return void withholding(known, source, body.school, body.isThere);
    case 'closure':
      return setClosure(known, body.school, body.closure);
    case 'retired':
      return known.keys.retire(body.school, body.kid);
    case 'denied':
      return known.denied.keep(body.school, body.what, body.id, until);
    case 'standing': {
      const { school, holder, id, notBefore, blocked, role } = body;
      return known.tokenStatuses[source].keep(school, holder, id, { notBefore, blocked, role, until });
    }
  }
}
