import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';

const jwk = z.record(z.string(), z.unknown());

const tokens_not_before = z
  .string()
  .meta({ description: 'RFC 3339: a token issued before (its `iat`, whole seconds) is void' });

const until = z
  .string()
  .meta({ description: 'RFC 3339: when the last of the tokens has expired, so that it may be forgotten' });

/** What the authorization server publishes. */
export const authFacts = {
  ...subjectEvents,
  SigningKeyPublished: published(1, z.object({ kid: z.string(), alg: z.string(), public_jwk: jwk }), {
    means: 'A public key may verify signatures of the school',
  }),
  SigningKeyRetired: published(1, z.object({ kid: z.string() }), {
    urgent: true,
    means: 'A public key verifies no signature of the school any more',
  }),
  GrantRevoked: published(1, z.object({ grant: z.string(), until }), {
    urgent: true,
    means: 'Every token of the grant is void',
  }),
  TokenRevoked: published(1, z.object({ jti: z.string(), until }), {
    urgent: true,
    means: 'One access token is void',
  }),
  ClientDisabled: published(1, z.object({ client: z.string(), tokens_not_before }), {
    urgent: true,
    means: 'No token of the client counts until the client is enabled, and of those from before none ever again',
  }),
  ClientEnabled: published(1, z.object({ client: z.string() }), {
    urgent: true,
    means: 'Tokens of the client count again, but for those from before',
  }),
  /** A person has an account here; its id is the subject (`sub`) of the person's tokens. */
  AccountOpened: published(1, z.object({ account_id: z.string() }), {
    feed: { scope: 'account:read', shows: 'account', means: 'You opened your account', of: 'account_id' },
  }),
  /** The name or the e-mail address of the account is another one; who needs it asks. */
  AccountChanged: published(1, z.object({ account_id: z.string() }), {
    feed: {
      scope: 'account:read',
      shows: 'account',
      means: 'Your name or e-mail address is another one',
      of: 'account_id',
    },
  }),
  /** The person is signed out everywhere: every token issued before is void. */
  SessionsEnded: published(1, z.object({ account_id: z.string(), tokens_not_before }), {
    urgent: true,
    feed: { scope: 'account:read', shows: 'account', means: 'You were signed out everywhere', of: 'account_id' },
  }),
} as const;
