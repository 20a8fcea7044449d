import { routesOf } from '@lyceum/contracts';
import { liveDocuments } from '@lyceum/documents';
import { withSnapshots, withStates } from '@lyceum/eventlog';
import {
  type Module,
  type ModulePorts,
  type Started,
  documentSnapshots,
  followFacts,
  hasRole,
  projectOwn,
  publishFacts,
  soleLeases,
} from '@lyceum/service';
import { RateLimiter } from '@lyceum/web';
import { availableParallelism } from 'node:os';
import { describedAuth, withAccountApi } from './account-api/account-api.ts';
import { authAggregates } from './aggregates.ts';
import { authApp } from './app.ts';
import { closeErased } from './domain/accounts/account-registry.ts';
import { answerAccountQuery } from './domain/accounts/account.query.ts';
import { seedDemoAccounts } from './domain/accounts/demo-accounts.ts';
import { passwordsOf } from './domain/accounts/password-hashing.ts';
import { mostClients, expireClients } from './domain/clients/client-limit.ts';
import { documentClients } from './domain/clients/documents/document-clients.ts';
import { keepExpiring } from './domain/clients/expire-clients.ts';
import { makeFirstKeys } from './domain/keys/first-keys.ts';
import { paceOf } from './domain/keys/key-ring.ts';
import { keepRotatingKeys, rotationIntervals } from './domain/keys/key-rotation.ts';
import { SigningKeys } from './domain/keys/signing-keys.ts';
import { keyRingStream } from './domain/streams.ts';
import { accessTokenReader } from './domain/tokens/read-access-token.ts';
import { guardedEgress } from './egress/guarded-egress.ts';
import { RemoteJson } from './egress/remote-json.ts';
import { authEvents } from './events.ts';
import { forgeriesAt } from './http/steps/limits.ts';
import { integrationEventOf } from './integration-events.ts';
import { isOfDeliveries } from './mails/delivery/delivery-process.ts';
import { runDeliveries } from './mails/delivery/run-deliveries.ts';
import { accountOperations } from './operator-api/account.internal.ts';
import { integrationOperations } from './operator-api/integration.internal.ts';
import { signingKeyOperations } from './operator-api/signing-keys.internal.ts';
import { projected } from './projections.ts';
import { followMembers } from './school-projections/follow-members.ts';
import { SchoolDirectory } from './school-projections/school-directory.ts';
import { followSchools, findStoredSchool } from './school-projections/school.projection.ts';
import { sealerOf } from './sealing/sealer.ts';
import { type AuthSettings, authSettings } from './settings.ts';

/** The authorization server: clients, sign-in, consent, tokens and keys of every school. */
export const auth: Module<AuthSettings> = {
  name: 'auth',
  routes: routesOf('auth'),
  consumes: ['school'],
  events: authEvents,
  aggregates: authAggregates,
  projected,
  settings: authSettings,
  start,
};

async function start(given: ModulePorts<AuthSettings>): Promise<Started> {
  const { ephemeral, clock, ids, logger, settings, vault } = given;
  const log = withStates(withSnapshots(given.log, await documentSnapshots(given.documents)), { erasures: vault });
  const documents = await liveDocuments(given.documents);
  const sealer = sealerOf(...given.rootKeys);
  const schools = new SchoolDirectory();
  const pace = paceOf(settings.SIGNING_KEY_SECONDS);
  const keys = new SigningKeys({
    pace,
    log,
    clock,
    ids,
    sealerOf: async (school) => sealerOf(await vault.derive(school, 'auth/signing-keys')),
    isTrusted: (school, kid) => given.trust.key(school, kid) !== undefined,
  });
  // Hashes leave a core to the thread that answers everybody.
  const passwords = passwordsOf(Math.max(1, availableParallelism() - 1));
  const egress = guardedEgress();
  const remoteJson = new RemoteJson(egress, clock, { mostBytes: settings.CLIENT_DOCUMENT_MAX_BYTES });
  const joining = { rootKeys: given.rootKeys, ask: given.ask };
  const app = authApp({
    log,
    documents,
    ephemeral,
    clock,
    ids,
    logger,
    egress,
    remoteJson,
    documentClients: documentClients(remoteJson, clock, settings.CLIENT_DOCUMENT_HOSTS),
    schools,
    keptSchool: (id) => findStoredSchool(documents, id),
    isWithheld: (school) => given.trust.withheld?.(school) === true,
    keys,
    sealer,
    vault,
    passwords,
    joining,
    refreshGrace: settings.REFRESH_GRACE_SECONDS,
    limits: new RateLimiter({ ephemeral, clock, logger }, settings.RATE_LIMIT_FACTOR),
    limitFactor: settings.RATE_LIMIT_FACTOR,
    accessTokens: accessTokenReader({ keys, clock, forgeries: forgeriesAt(clock, settings.RATE_LIMIT_FACTOR) }),
    mostClients,
    localhostRedirects: settings.LOCALHOST_REDIRECTS,
  });
  const projecting = await projectOwn(given, 'auth', projected, () => Promise.resolve());
  const relay = await publishFacts(given, 'auth', integrationEventOf);
  const members = await followMembers(given);
  const keeping = await followSchools(given);
  const isNeeded = hasRole(given, 'http') || hasRole(given, 'consumer');
  const following = isNeeded
    ? followFacts(given, 'school', 'auth', ({ tenant, fact }) => schools.apply(tenant, fact))
    : undefined;
  const alone = given.leases ?? soleLeases((err, name) => logger.error({ err, reason: name }, 'standing work failed'));
  const making = hasRole(given, 'consumer')
    ? alone.contend('first-keys', async () =>
        makeFirstKeys({
          keys,
          schools: () => schools.ids(),
          onError: (err, school) => logger.error({ err, school }, 'the first keys of a school could not be made'),
        }),
      )
    : undefined;
  const rotating = hasRole(given, 'consumer')
    ? alone.contend('signing-keys', async () =>
        keepRotatingKeys({
          keys,
          schools: () => schools.ids(),
          ...rotationIntervals(pace),
          onError: (err, school) => logger.error({ err, school }, 'the signing keys of a school could not be rotated'),
        }),
      )
    : undefined;
  const sweeping = hasRole(given, 'consumer')
    ? alone.contend('clients', async () =>
        keepExpiring({
          sweep: (school) => expireClients({ log, documents, clock, ids }, school),
          schools: () => schools.ids(),
          onError: (err, school) => logger.error({ err, school }, 'the clients of a school could not be swept'),
        }),
      )
    : undefined;
  const delivering = hasRole(given, 'consumer')
    ? runDeliveries(given, {
        log,
        documents,
        clock,
        ids,
        keys,
        sealer,
        vault,
        schools,
        egress,
        joining,
        mail: given.mail,
      })
    : undefined;
  return {
    app: withAccountApi(app, {
      ports: { log, documents, ephemeral, clock, ids },
      vault,
      trust: given.trust,
      logger,
      cursorSecret: given.cursorSecret,
    }),
    internal: [
      ...accountOperations({ schools, passwords, vault, ask: given.ask }),
      ...signingKeyOperations(schools, keys),
      ...integrationOperations(schools),
    ],
    openapi: describedAuth(),
    answer: (question) => answerAccountQuery({ log }, question),
    get readModels() {
      return [...projecting.models(), ...[members, keeping].flatMap((model) => model ?? [])];
    },
    get processes() {
      return delivering?.operated() ?? [];
    },
    async ready(isAway) {
      const told = isAway?.('school') ? [] : [following?.caughtUp(), members?.caughtUp()];
      await Promise.all([...told, projecting.ready()]);
    },
    purged: (...asked) => projecting.purged(...asked),
    seedDemo: ({ password }) => seedDemoAccounts({ log, clock, ids, vault }, passwords, password),
    moving: {
      stays: (stream, { signingKeys }) => (stream === keyRingStream && !signingKeys) || isOfDeliveries(stream),
    },
    arrivable: { aggregates: authAggregates, cross: integrationEventOf },
    erased: (school, subject) => closeErased({ log, clock, ids }, school, subject),
    async close() {
      await sweeping?.close();
      await rotating?.close();
      await making?.close();
      await delivering?.close();
      await following?.close();
      await members?.close();
      await keeping?.close();
      await projecting.close();
      await relay.close();
    },
  };
}
