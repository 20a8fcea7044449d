import type { Scope } from '@lyceum/contracts';
import { slot } from '../../http/exchange/slot.ts';

/** Values of `prompt`. @see OIDC Core §3.1.2.1 */
export const prompts = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof prompts)[number];

/** A checked authorization request. */
export interface AuthorizationRequest {
  /** Undefined only for a client that the operator lets do without PKCE. */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly prompts: ReadonlySet<Prompt>;
  /** Seconds since the last sign-in that are still good. */
  readonly maxAge: number | undefined;
  readonly scopes: readonly Scope[];
  readonly resource: readonly string[];
}

/** The checked authorization request. */
export const authorizationRequestSlot = slot<AuthorizationRequest>('the authorization request');
