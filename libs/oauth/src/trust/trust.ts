import type { FactSource, Role } from '@lyceum/contracts';
import type { KeyObject } from 'node:crypto';

/** A school as far as tokens are concerned. `issuer` = `{base_url}`, no trailing slash. */
export interface TrustedSchool {
  readonly id: string;
  readonly issuer: string;
  /** Where its API is too: the origins of its custom domains. Absent when it has none. */
  readonly origins?: readonly string[];
}

/** A public key of a school. */
export interface TrustedKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
}

/** What of an access token revocation is about. */
export interface TokenFacts {
  readonly jti: string;
  readonly grant: string;
  readonly subject: string;
  readonly client: string;
  /** Seconds since the epoch. */
  readonly issued: number;
}

/** Why a school is not open: for now, or for ever. */
export type Closure = 'suspended' | 'closed';

/** What a service knows about schools, keys, members and revocations, fed by facts, asked on every request. */
export interface Trust {
  school(id: string): TrustedSchool | undefined;
  key(school: string, kid: string): TrustedKey | undefined;
  /** Whether the token or its grant was revoked, its person suspended or signed out since, or its client disabled. */
  denied(school: string, token: TokenFacts): boolean;
  /** Whether revocations of the school may be missing here: every token of it is refused. */
  withheld?(school: string): boolean;
  /** Why only the staff of a school are answered; undefined while it is open. */
  closure?(school: string): Closure | undefined;
  /** The role that counts for a person now; undefined while the token's own does. */
  role(school: string, subject: string): Role | undefined;
  /** The services whose facts are not known here yet: until they are, no token is good and none is bad. None when not given. */
  awaits?(): readonly FactSource[];
}

/** A token cannot be judged: what decides about it is not known here yet. */
export class TrustAwaited extends Error {
  override readonly name = 'TrustAwaited';

  constructor(sources: readonly FactSource[]) {
    super(`Tokens cannot be judged yet: what the ${sources.join(' and ')} service knows is awaited`);
  }
}
