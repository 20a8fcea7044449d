import { type Aggregate, aggregate, streamNamed, streamsOf } from '@lyceum/runtime';
import { account } from './domain/accounts/account.ts';
import { client } from './domain/clients/client.ts';
import { consent } from './domain/consents/consent.ts';
import { grant } from './domain/grants/grant.ts';
import { refreshRetries } from './domain/grants/refresh-retries.ts';
import { keyRing } from './domain/keys/key-ring.ts';
import { session } from './domain/sessions/session.ts';
import { keyRingStream, refreshRetriesStream, sessionStream } from './domain/streams.ts';
import { recoveryStreamPrefix } from './recovery/recovery.events.ts';
import { recovery } from './recovery/recovery.ts';
import { signUpAsk } from './sign-up/sign-up-request.ts';
import { signUpStream } from './sign-up/sign-up.events.ts';

/** Streams that are a prefix and a hash. */
const hashed =
  (prefix: string): Aggregate['isStream'] =>
  (stream) =>
    stream.startsWith(prefix) && /^[\w-]{16,100}$/.test(stream.slice(prefix.length));

/** All aggregates of this service that move with a school; what deliveries keep is not among them. */
export const authAggregates: readonly Aggregate[] = [
  aggregate(streamsOf('account-'), account),
  aggregate(streamsOf('client-'), client),
  aggregate(streamsOf('grant-'), grant),
  aggregate(streamsOf(refreshRetriesStream('grant_')), refreshRetries),
  aggregate(streamsOf('consent-'), consent),
  aggregate(streamsOf(signUpStream('')), signUpAsk),
  aggregate(hashed(sessionStream('')), session),
  aggregate(hashed(recoveryStreamPrefix), recovery),
  aggregate(streamNamed(keyRingStream), keyRing),
];
