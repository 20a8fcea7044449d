import type { FactSource, Role } from '@lyceum/contracts';
import { hash } from 'node:crypto';
import type { Closure } from './trust.ts';

/** A part of trust that is kept over a restart: plain JSON. */
export type Remembered =
  | {
      readonly kind: 'issuer';
      readonly school: string;
      readonly url: string;
      /** When that was published, milliseconds: releases before this one go by it. */
      readonly since: number;
      /** In the lane of the school; what an older release kept has none. */
      readonly position?: number;
    }
  | { readonly kind: 'domain'; readonly school: string; readonly domain: string; readonly isThere: boolean }
  | {
      readonly kind: 'key';
      readonly school: string;
      readonly kid: string;
      readonly alg: string;
      readonly jwk: Record<string, unknown>;
    }
  | { readonly kind: 'withheld'; readonly school: string; readonly isThere: boolean }
  | { readonly kind: 'closure'; readonly school: string; readonly closure?: Closure }
  | { readonly kind: 'retired'; readonly school: string; readonly kid: string }
  | { readonly kind: 'denied'; readonly school: string; readonly what: 'jti' | 'grant'; readonly id: string }
  | {
      readonly kind: 'standing';
      readonly school: string;
      readonly holder: 'subject' | 'client';
      readonly id: string;
      readonly notBefore: number;
      readonly blocked: boolean | 'for good';
      readonly role?: Role;
    };

/** A part of trust with the id under which it is kept: a later one with that id replaces it. */
export interface TrustSnapshot {
  /** Hexadecimal digits. */
  readonly id: string;
  /** The service that published it. */
  readonly source: FactSource;
  /** Of no use from then on; milliseconds. */
  readonly until?: number;
  /** Every school has one, and it is only ever replaced. */
  readonly isLasting?: true;
  readonly body: Remembered;
}

/** A part of trust under the id of its subject. */
export function snapshotOf(source: FactSource, body: Remembered, until?: number): TrustSnapshot {
  const id = hash('sha256', JSON.stringify([source, ...aboutOf(body)]), 'hex');
  const marks = {
    ...(until === undefined ? {} : { until }),
    ...(body.kind === 'issuer' && { isLasting: true as const }),
  };
  return { id, source, body, ...marks };
}

function aboutOf(body: Remembered): readonly string[] {
  switch (body.kind) {
    case 'issuer':
      return ['issuer', body.school];
    case 'withheld':
      return ['withheld', body.school];
    case 'closure':
      return ['closure', body.school];
    case 'domain':
      return ['domain', body.school, body.domain];
    // The last fact about a key is that it is retired.
    case 'key':
    case 'retired':
      return ['key', body.school, body.kid];
    case 'denied':
      return [body.what, body.school, body.id];
    case 'standing':
      return [body.holder, body.school, body.id];
  }
}
