import { type Aggregate, aggregate, streamNamed, streamsOf } from '@lyceum/service';
import { accountDecider } from './domain/accounts/account.ts';
import { clientDecider } from './domain/clients/client.ts';
import { consentDecider } from './domain/consents/consent.ts';
import { grantDecider } from './domain/grants/grant.ts';
import { refreshRetriesDecider } from './domain/grants/refresh-retries.ts';
import { keyRingDecider } from './domain/keys/key-ring.ts';
import { sessionDecider } from './domain/sessions/session.ts';
import { keyRingStream, refreshRetriesStream, sessionStream } from './domain/streams.ts';
import { recoveryStreamPrefix } from './recovery/recovery.events.ts';
import { recoveryDecider } from './recovery/recovery.ts';
import { signUpRequestDecider } from './sign-up/sign-up-request.ts';
import { signUpStream } from './sign-up/sign-up.events.ts';

/** Streams that are a prefix and a hash. */
const hashed =
  (prefix: string): Aggregate['isStream'] =>
  (stream) =>
    stream.startsWith(prefix) && /^[\w-]{16,100}$/.test(stream.slice(prefix.length));

/** All aggregates of this service that move with a school; what deliveries keep is not among them. */
export const authAggregates: readonly Aggregate[] = [
  aggregate(streamsOf('account-'), accountDecider),
  aggregate(streamsOf('client-'), clientDecider),
  aggregate(streamsOf('grant-'), grantDecider),
  aggregate(streamsOf(refreshRetriesStream('grant_')), refreshRetriesDecider),
  aggregate(streamsOf('consent-'), consentDecider),
  aggregate(streamsOf(signUpStream('')), signUpRequestDecider),
  aggregate(hashed(sessionStream('')), sessionDecider),
  aggregate(hashed(recoveryStreamPrefix), recoveryDecider),
  aggregate(streamNamed(keyRingStream), keyRingDecider),
];
