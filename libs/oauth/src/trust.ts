import type { KeyObject } from 'node:crypto';

/** A school as far as tokens are concerned. `issuer` = `{base_url}`, no trailing slash. */
export interface TrustedSchool {
  readonly id: string;
  readonly issuer: string;
}

/** A public key of a school. */
export interface TrustedKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
}

/** What a service knows about schools, keys and revocations, fed by facts, asked on every request. */
export interface Trust {
  school(id: string): TrustedSchool | undefined;
  key(school: string, kid: string): TrustedKey | undefined;
  /** Whether the token or its grant was revoked. */
  denied(school: string, token: { readonly jti: string; readonly grant: string }): boolean;
}
