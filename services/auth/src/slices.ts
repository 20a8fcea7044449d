import {
  type Aggregate,
  type BackgroundJob,
  type Slice,
  aggregate,
  receiptEvents,
  streamNamed,
  streamsOf,
} from '@lyceum/service';
import { accountOperations } from './account-api/account-api.ts';
import { type AuthServicePorts } from './auth-service-ports.ts';
import { closeErased } from './domain/accounts/account-registry.ts';
import { accountEvents } from './domain/accounts/account.events.ts';
import { answerAccountQuery } from './domain/accounts/account.query.ts';
import { accountDecider } from './domain/accounts/account.ts';
import { seedDemoAccounts } from './domain/accounts/demo-accounts.ts';
import { expireClients } from './domain/clients/client-limit.ts';
import { clientEvents } from './domain/clients/client.events.ts';
import { clientProjections } from './domain/clients/client.projection.ts';
import { clientDecider } from './domain/clients/client.ts';
import { keepExpiring } from './domain/clients/expire-clients.ts';
import { consentEvents } from './domain/consents/consent.events.ts';
import { consentDecider } from './domain/consents/consent.ts';
import { grantEvents } from './domain/grants/grant.events.ts';
import { grantProjection } from './domain/grants/grant.projection.ts';
import { grantDecider } from './domain/grants/grant.ts';
import { refreshRetryEvents } from './domain/grants/refresh-retries.events.ts';
import { refreshRetriesDecider } from './domain/grants/refresh-retries.ts';
import { keyRingEvents } from './domain/keys/key-ring.events.ts';
import { keyRingProjection } from './domain/keys/key-ring.projection.ts';
import { keyRingDecider, paceOf } from './domain/keys/key-ring.ts';
import { keepRotatingKeys, rotationIntervals } from './domain/keys/key-rotation.ts';
import { sessionEvents } from './domain/sessions/session.events.ts';
import { sessionProjection } from './domain/sessions/session.projection.ts';
import { sessionDecider } from './domain/sessions/session.ts';
import { keyRingStream, refreshRetriesStream, sessionStream } from './domain/streams.ts';
import { exportRequestEvents } from './exports/export-request.events.ts';
import { exportRequestOperations } from './exports/export-request.http.ts';
import { exportRequestDecider, exportRequestStream } from './exports/export-request.ts';
import { accountData, exportRequestData, grantData, sessionData } from './exports/personal-account-data.ts';
import { integrationEventOf } from './integration-events.ts';
import { deliverBy } from './mails/delivery/deliver.ts';
import { deliveryProcess, isOfDeliveries } from './mails/delivery/delivery-process.ts';
import { accountOperations as operatorAccountOperations } from './operator-api/account.internal.ts';
import { integrationOperations } from './operator-api/integration.internal.ts';
import { signingKeyOperations } from './operator-api/signing-keys.internal.ts';
import { recoveryEvents, recoveryStreamPrefix } from './recovery/recovery.events.ts';
import { recoveryDecider } from './recovery/recovery.ts';
import { memberProjection } from './school-projections/member.projection.ts';
import { schoolProjection, schoolProjectionBefore } from './school-projections/school.projection.ts';
import type { AuthSettings } from './settings.ts';
import { answerCheckoutAccess } from './sign-in/checkout-access.query.ts';
import { isErasureOfSignUpRequest, signUpRequestDecider } from './sign-up/sign-up-request.ts';
import { signUpEvents, signUpStream } from './sign-up/sign-up.events.ts';

type AuthSlice = Slice<AuthSettings, AuthServicePorts>;
type AuthJob = BackgroundJob<AuthSettings, AuthServicePorts>;

/** Streams that are a prefix and a hash. */
const hashed =
  (prefix: string): Aggregate['isStream'] =>
  (stream) =>
    stream.startsWith(prefix) && /^[\w-]{16,100}$/.test(stream.slice(prefix.length));

const accountSlice: AuthSlice = {
  name: 'accounts',
  operations: accountOperations,
  internal: operatorAccountOperations,
  events: accountEvents,
  aggregates: [aggregate(streamsOf('account-'), accountDecider)],
  answers: { account: answerAccountQuery },
  personalData: [accountData],
  erased: (school, subject, ports) => closeErased(ports, school, subject),
  seedDemo: ({ password }, ports) => seedDemoAccounts(ports, ports.passwords, password),
};

const expiringClients: AuthJob = {
  name: 'clients',
  begin: ({ log, documents, clock, ids, logger }) =>
    keepExpiring({
      documents,
      sweep: (school) => expireClients({ log, documents, clock, ids }, school),
      onError: (err, school) => logger.error({ err, school }, 'the clients of a school could not be expired'),
    }),
};

const clientSlice: AuthSlice = {
  name: 'clients',
  operations: [],
  internal: ({ schools }) => integrationOperations(schools),
  events: clientEvents,
  projections: clientProjections,
  aggregates: [aggregate(streamsOf('client-'), clientDecider)],
  backgroundJobs: [expiringClients],
};

const grantSlice: AuthSlice = {
  name: 'grants',
  operations: [],
  events: { ...grantEvents, ...refreshRetryEvents },
  projections: [grantProjection],
  personalData: [grantData],
  aggregates: [
    aggregate(streamsOf('grant-'), grantDecider),
    aggregate(streamsOf(refreshRetriesStream('grant_')), refreshRetriesDecider),
  ],
};

const consentSlice: AuthSlice = {
  name: 'consents',
  operations: [],
  events: consentEvents,
  aggregates: [aggregate(streamsOf('consent-'), consentDecider)],
};

const sessionSlice: AuthSlice = {
  name: 'sessions',
  operations: [],
  events: sessionEvents,
  projections: [sessionProjection],
  personalData: [sessionData],
  answers: { checkout_access: answerCheckoutAccess },
  aggregates: [aggregate(hashed(sessionStream('')), sessionDecider)],
};

const rotatingKeys: AuthJob = {
  name: 'signing-keys',
  begin: ({ keys, documents, logger, settings, watch }) =>
    keepRotatingKeys({
      keys,
      documents,
      ...rotationIntervals(paceOf(settings.SIGNING_KEY_SECONDS)),
      onError: (err, school) => logger.error({ err, school }, 'the signing keys of a school could not be rotated'),
      seen: (inUse) => void (watch && (watch.keys = inUse)),
    }),
};

const keySlice: AuthSlice = {
  name: 'keys',
  operations: [],
  internal: ({ schools, keys }) => signingKeyOperations(schools, keys),
  events: keyRingEvents,
  projections: [keyRingProjection],
  aggregates: [aggregate(streamNamed(keyRingStream), keyRingDecider)],
  backgroundJobs: [rotatingKeys],
};

const recoverySlice: AuthSlice = {
  name: 'recovery',
  operations: [],
  events: recoveryEvents,
  aggregates: [aggregate(hashed(recoveryStreamPrefix), recoveryDecider)],
};

const signUpSlice: AuthSlice = {
  name: 'sign-up',
  operations: [],
  events: signUpEvents,
  aggregates: [aggregate(streamsOf(signUpStream('')), signUpRequestDecider)],
  // Nobody has an account yet, and the request is gone with the mail.
  personalData: [],
  // A request to sign up erases itself, and no other service knows of it.
  isPrivate: ({ stream }) => isErasureOfSignUpRequest(stream),
};

/** Mails and logout notifications. What the process keeps is not among the aggregates: it does not move with a school. */
const mailSlice: AuthSlice = {
  name: 'mails',
  operations: [],
  events: receiptEvents,
  processes: [{ manager: deliveryProcess(deliverBy), lease: 'deliveries' }],
  moving: () => ({
    stays: (stream, { signingKeys }) => (stream === keyRingStream && !signingKeys) || isOfDeliveries(stream),
  }),
};

/** What people get of all that is known of them. */
const exportSlice: AuthSlice = {
  name: 'exports',
  operations: exportRequestOperations,
  events: exportRequestEvents,
  aggregates: [aggregate(streamsOf(exportRequestStream('account_')), exportRequestDecider)],
  personalData: [exportRequestData],
};

/** What this service keeps of the schools and members of the school service. */
const schoolSlice: AuthSlice = {
  name: 'schools',
  operations: [],
  follows: [
    { source: 'school', projection: memberProjection },
    { source: 'school', projection: schoolProjection },
  ],
  previousProjections: [schoolProjectionBefore],
};

/** The areas of the authorization server. Its integration events are those of all of them. */
export const authSlices: readonly AuthSlice[] = [
  { ...accountSlice, toFact: integrationEventOf },
  clientSlice,
  grantSlice,
  consentSlice,
  sessionSlice,
  keySlice,
  recoverySlice,
  signUpSlice,
  exportSlice,
  mailSlice,
  schoolSlice,
];
