import type { ModulePorts } from '@lyceum/service';
import { RateLimiter } from '@lyceum/web';
import { availableParallelism } from 'node:os';
import { passwordsOf } from './domain/accounts/password-hashing.ts';
import { mostClients } from './domain/clients/client-limit.ts';
import { documentClients } from './domain/clients/documents/document-clients.ts';
import { paceOf } from './domain/keys/key-ring.ts';
import { SigningKeys } from './domain/keys/signing-keys.ts';
import { accessTokenReader } from './domain/tokens/read-access-token.ts';
import { guardedEgress } from './egress/guarded-egress.ts';
import { RemoteJson } from './egress/remote-json.ts';
import type { AuthPorts } from './http/exchange/auth-ports.ts';
import { forgeriesAt } from './http/steps/limits.ts';
import { knownSchools } from './school-projections/school.projection.ts';
import { sealerOf } from './sealing/sealer.ts';
import type { AuthSettings } from './settings.ts';

/** The ports that the authorization server adds to those of every module. */
export type AuthServicePorts = Omit<AuthPorts, keyof ModulePorts>;

/** Makes them, once for a process. */
export function authServicePorts(ports: ModulePorts<AuthSettings>): AuthServicePorts {
  const { log, documents, ephemeral, clock, ids, logger, settings, vault, trust, rootKeys, ask } = ports;
  const keys = new SigningKeys({
    pace: paceOf(settings.SIGNING_KEY_SECONDS),
    log,
    clock,
    ids,
    sealerOf: async (school) => sealerOf(await vault.derive(school, 'auth/signing-keys')),
    isTrusted: (school, kid) => trust.key(school, kid) !== undefined,
  });
  const egress = guardedEgress();
  const remoteJson = new RemoteJson(egress, clock, { mostBytes: settings.CLIENT_DOCUMENT_MAX_BYTES });
  const limitFactor = settings.RATE_LIMIT_FACTOR;
  return {
    egress,
    remoteJson,
    documentClients: documentClients(remoteJson, clock, settings.CLIENT_DOCUMENT_HOSTS),
    schools: knownSchools(documents),
    isWithheld: (school) => trust.withheld?.(school) === true,
    keys,
    accessTokens: accessTokenReader({ keys, clock, forgeries: forgeriesAt(clock, limitFactor) }),
    sealer: sealerOf(...rootKeys),
    // One core stays free for the thread that answers requests.
    passwords: passwordsOf(Math.max(1, availableParallelism() - 1)),
    joining: { rootKeys, ask },
    refreshGrace: settings.REFRESH_GRACE_SECONDS,
    limits: new RateLimiter({ ephemeral, clock, logger }, limitFactor),
    limitFactor,
    mostClients,
    localhostRedirects: settings.LOCALHOST_REDIRECTS,
  };
}
