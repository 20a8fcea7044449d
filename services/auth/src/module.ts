import { routesOf } from '@lyceum/contracts';
import { type Module, type ModulePorts, type Started, followFacts, hasRole, publishFacts } from '@lyceum/runtime';
import { RateLimiter } from '@lyceum/web';
import { availableParallelism } from 'node:os';
import { accountOperations } from './accounts/account.internal.ts';
import { closeErased } from './accounts/account-registry.ts';
import { seedDemoAccounts } from './accounts/demo-accounts.ts';
import { passwordsOf } from './accounts/passwords.ts';
import { authApp } from './app.ts';
import { authCrossing } from './crossing.ts';
import { authEvents } from './events.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import { openapi } from './openapi.ts';
import { type AuthSettings, authSettings } from './settings.ts';
import { SchoolDirectory } from './schools/school-directory.ts';
import { sealerOf } from './sealing/sealer.ts';
import { keyRingStream } from './streams.ts';

/** The authorization server: clients, sign-in, consent, tokens and keys of every school. */
export const auth: Module<AuthSettings> = {
  name: 'auth',
  routes: routesOf('auth'),
  consumes: ['school'],
  events: authEvents,
  settings: authSettings,
  start,
};

async function start(given: ModulePorts<AuthSettings>): Promise<Started> {
  const { log, documents, ephemeral, clock, ids, logger, settings, vault } = given;
  const sealer = sealerOf(...given.rootKeys);
  const schools = new SchoolDirectory();
  const keys = new SigningKeys({
    log,
    clock,
    ids,
    sealerOf: async (school) => sealerOf(await vault.derive(school, 'auth/signing-keys')),
  });
  const passwords = passwordsOf(availableParallelism());
  const app = authApp({
    log,
    documents,
    ephemeral,
    clock,
    ids,
    logger,
    schools,
    keys,
    sealer,
    vault,
    passwords,
    refreshGrace: settings.REFRESH_GRACE_SECONDS,
    limits: new RateLimiter({ ephemeral, clock, logger }, settings.RATE_LIMIT_FACTOR),
    limitFactor: settings.RATE_LIMIT_FACTOR,
  });
  const relay = await publishFacts(given, 'auth', authCrossing);
  const isNeeded = hasRole(given, 'http') || hasRole(given, 'consumer');
  const following = isNeeded
    ? followFacts(given, 'school', 'auth', async ({ tenant, fact }) => {
        // A school without keys could sign nobody in, so its facts count as taken in only when it has some.
        if (schools.apply(tenant, fact)) await keys.begin(tenant);
      })
    : undefined;
  return {
    app: app.callback(),
    internal: accountOperations(schools, passwords, vault),
    openapi,
    ready: async () => following?.caughtUp(),
    seedDemo: ({ password }) => seedDemoAccounts({ log, clock, ids, vault }, passwords, password),
    moving: { stays: (stream, { signingKeys }) => stream === keyRingStream && !signingKeys },
    erased: (school, subject) => closeErased({ log, clock, ids }, school, subject),
    async close() {
      await following?.close();
      await relay.close();
    },
  };
}
