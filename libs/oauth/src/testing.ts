import { type Role, type Scope, type SigningAlg, scopeNames } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { type TrustState, trustState } from './trust/trust-state.ts';

/** What a test token says; everything has a default. */
export interface TokenClaims {
  readonly scopes?: readonly (Scope | (string & {}))[];
  readonly role?: Role;
  readonly subject?: string;
  readonly client?: string;
  readonly grant?: string;
  readonly jti?: string;
  readonly audience?: string | readonly string[];
  /** Seconds from now; 600 by default, negative for an expired token. */
  readonly expiresIn?: number;
  /** Laid over the claims; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Laid over the protected header. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A school with one signing key that a trust state knows. */
export interface TestSchool {
  readonly id: string;
  readonly issuer: string;
  readonly kid: string;
  readonly trust: TrustState;
  /** Signs an access token as the authorization server would. */
  token(claims?: TokenClaims): Promise<string>;
  /** Tells the trust state that a token or a grant was revoked. */
  revoke(what: { readonly jti: string } | { readonly grant: string }): void;
}

/** What a test school is made of. Several schools may share one `trust`. */
export interface TestSchoolOptions {
  readonly clock: Clock;
  readonly id?: string;
  readonly issuer?: string;
  readonly alg?: SigningAlg | 'EdDSA';
  readonly trust?: TrustState;
}

/** Provisions a school in a trust state and signs tokens for it: by default an owner's with every scope. */
export async function testSchool(options: TestSchoolOptions): Promise<TestSchool> {
  const { clock, id = 'school_1', alg = 'ES256' } = options;
  const { issuer = `http://${id.replace('_', '-')}.test`, trust = trustState(clock) } = options;
  const kid = `${id}-${alg}`;
  const pair = await generateKeyPair(alg, { extractable: true });
  const at = () => new Date(clock.now()).toISOString();
  const says = (source: 'school' | 'auth', type: string, data: unknown) =>
    trust.apply({ source, tenant: id, at: at(), fact: { type, data } });

  const of = { slug: id, name: id, host: new URL(issuer).host, currency: 'EUR', locale: 'en', timezone: 'UTC' };
  says('school', 'SchoolProvisioned', { ...of, base_url: issuer });
  says('auth', 'SigningKeyPublished', { kid, alg, public_jwk: await exportJWK(pair.publicKey) });

  let count = 0;
  return {
    id,
    issuer,
    kid,
    trust,
    token({ header = {}, claims = {}, ...said }: TokenClaims = {}) {
      const now = Math.floor(clock.now() / 1000);
      count += 1;
      const body = {
        iss: issuer,
        sub: said.subject ?? 'acc_1',
        aud: (said.audience ?? issuer) as string | string[],
        client_id: said.client ?? 'client_1',
        gid: said.grant ?? 'grant_1',
        jti: said.jti ?? `jti_${count}`,
        iat: now,
        exp: now + (said.expiresIn ?? 600),
        scope: (said.scopes ?? scopeNames).join(' '),
        role: said.role ?? 'owner',
        school: id,
        ...claims,
      };
      return new SignJWT(body).setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header }).sign(pair.privateKey);
    },
    revoke(what) {
      const until = new Date(clock.now() + 3_600_000).toISOString();
      says('auth', 'jti' in what ? 'TokenRevoked' : 'GrantRevoked', { ...what, until });
    },
  };
}
