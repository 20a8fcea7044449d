import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

const seconds = z.number().int();

/** Why a grant ended. */
const reason = z.enum(['code_replayed', 'refresh_reused', 'revoked_by_client', 'revoked_by_person']);
export type RevocationReason = z.output<typeof reason>;

/** Issued tokens: hashes and ids only, so that the log gives no access. Times in seconds since the epoch. */
const tokens = z.object({
  jti: z.string(),
  access_expires: seconds,
  refresh_hash: z.string().optional(),
  refresh_expires: seconds.optional(),
});

/** The facts of a grant: what one person allowed one client, once. */
export const grantEvents = {
  GrantIssued: {
    version: 1,
    data: z.object({
      client: z.string(),
      account: z.string(),
      sid: z.string(),
      scopes: z.array(z.string()),
      /** Resources named at the authorization request; empty = none named. */
      resource: z.array(z.string()),
      auth_time: seconds,
      amr: z.array(z.string()),
      issued: seconds,
    }),
  },
  CodeRedeemed: { version: 1, data: z.object({}) },
  /** `audience` never changes for a grant. */
  TokensIssued: { version: 1, data: tokens.extend({ audience: z.array(z.string()) }) },
  /** The refresh token before was used up, and these took its place. `scopes` when fewer than all were asked for. */
  RefreshRotated: { version: 1, data: tokens.extend({ scopes: z.array(z.string()).optional() }) },
  CodeReplayed: { version: 1, data: z.object({}) },
  RefreshReuseDetected: { version: 1, data: z.object({}) },
  /** `until` is RFC 3339: after it the token has expired by itself. */
  TokenRevoked: { version: 1, data: z.object({ jti: z.string(), until: z.string() }) },
  GrantRevoked: { version: 1, data: z.object({ reason, until: z.string() }) },
} as const;

export type GrantEvent = EventOf<typeof grantEvents>;
