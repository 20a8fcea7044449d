import { addedRoutes, routes } from '@lyceum/contracts';
import type { Module, ModulePorts, Started } from '@lyceum/service';
import type { Upstream } from '@lyceum/internal-api';
import { refuse } from './http/error-response.ts';
import { verifier } from '@lyceum/oauth';
import { SchoolScheduler } from '@lyceum/web';
import { z } from 'zod';
import { openCheckout } from './checkout/checkout-endpoint.ts';
import { type Changes, openChanges } from './change-feed/change-feed.ts';
import { changeSources } from './change-feed/change.rules.ts';
import { trustedProxies } from './edge/request/client-address.ts';
import { followDescriptions } from './discovery/openapi/service-descriptions.ts';
import { openDiscovery } from './discovery/open-discovery.ts';
import { openForms } from './forms/form-endpoint.ts';
import { followSchools } from './routing/follow-schools.ts';
import { serviceFinder } from './routing/service-of-path.ts';
import { InFlightLimits } from './limits/in-flight-limits.ts';
import { front } from './edge/front.ts';
import { beginTrace } from './edge/request/trace.ts';
import { CollectedApi } from './discovery/openapi/collected-api.ts';
import { type ServiceDescription, object, objects } from './discovery/openapi/school-openapi.ts';
import { publicApi } from './discovery/openapi/public-documents.ts';
import { trustGate } from './edge/trust-gate.ts';
import { LeaseTable } from './limits/lease-table.ts';
import { mcpLimit } from './limits/request-limits.ts';
import { QuotaTable } from './limits/quota-table.ts';
import { countedFor, forgeriesAt, requestLimits } from './limits/request-limits.ts';
import type { HttpUpstream } from './upstream/http-upstream.ts';
import { openMcp } from './mcp/open-mcp.ts';

/** Services that come with Lyceum. */
const standard = [...new Set(Object.values(routes))].filter((name) => name !== 'gateway');

const wholeDays = 'a whole number of days from 1 to 3650';

/**
 * The edge: knows every school by its host, serves the documents that describe it, and sends the rest to the
 * service that owns the path. Keeps nothing on disk; the table of hosts is kept for the next start where gateways share
 * what is short-lived.
 */
export const gateway: Module<{ CHANGES_DAYS: number; MCP_SIGN_IN_ALIAS: boolean }> = {
  name: 'gateway',
  routes: ['/'],
  consumes: changeSources,
  forwards: standard,
  settings: z.object({
    CHANGES_DAYS: z.coerce
      .number(wholeDays)
      .int(wholeDays)
      .min(1, wholeDays)
      .max(3650, wholeDays)
      .default(30)
      .meta({ description: 'Days that the change feed (GET /api/changes) reaches back' }),
    MCP_SIGN_IN_ALIAS: z
      .enum(['true', 'false'], 'true or false')
      .default('true')
      .transform((value) => value === 'true')
      .meta({ description: 'Whether /mcp/oauth is the MCP server for clients that sign in only when they must' }),
  }),
  stateless: true,
  async start(ports) {
    const schools = followSchools(ports);
    const { hosts } = schools;
    const { ids, clock, ephemeral, logger, settings, isTrustKnown = () => true } = ports;
    const added = addedRoutes(settings.ROUTES);
    const services = [...new Set([...standard, ...added.values()])];
    const elsewhere = await remoteUpstreams(ports, services);
    const serviceOf = serviceFinder(added);
    const api = new CollectedApi(logger, serviceOf);
    const changes = openChanges(ports, settings.CHANGES_DAYS);
    api.require(withChanges(changes));
    const serviceAt = (service: string): Upstream => elsewhere.get(service) ?? ports.upstream(service);
    const upstream = (service: string): Pick<Upstream, 'forward'> => {
      if (service === 'mcp') return trustGate(mcp, isTrustKnown);
      if (service === 'gateway') return trustGate(changes, isTrustKnown);
      if (service === 'checkout') return checkout;
      if (service === 'forms') return forms;
      return serviceAt(service);
    };
    const { RATE_LIMIT_FACTOR: factor, MCP_SIGN_IN_ALIAS: hasSignInAlias } = settings;
    const documents = openDiscovery(ports, hosts, api, { clientOf: serviceAt, hasSignInAlias });
    const quotas = ephemeral.isShared
      ? new LeaseTable({ ephemeral, clock, logger }, countedFor)
      : new QuotaTable(clock, countedFor);
    const judge = verifier({ trust: ports.trust, clock, forgeries: forgeriesAt(clock, factor) });
    const mcp = openMcp(ports, {
      hosts,
      verifier: judge,
      limit: mcpLimit(quotas, factor),
      clientOf: serviceAt,
      document: (school, path) => documents.at(school, path),
      hasSignInAlias,
    });
    const checkout = openCheckout({
      school: (id) => hosts.byId(id),
      ask: ports.ask ?? (() => Promise.reject(new Error('no other service can be asked'))),
      clientOf: serviceAt,
      ids,
      clock,
      secret: ports.cursorSecret,
      logger,
    });
    const forms = openForms({ school: (id) => hosts.byId(id), clientOf: serviceAt, clock, logger });
    const descriptions = followDescriptions([...elsewhere.values()], {
      received(described) {
        const isTaken = api.receive({ ...described, isAdded: !standard.includes(described.service) });
        if (isTaken && documents.isPublished) documents.publish();
        return isTaken;
      },
      onError: (module, err) => logger.debug({ module, err }, 'a service does not describe itself yet'),
    });
    return {
      app: front({
        hosts,
        documents,
        serviceOf,
        upstream,
        isElsewhere: (service) => elsewhere.has(service),
        limits: requestLimits({ clock, verifier: judge, isTrustKnown, factor, quotas }),
        beginTrace,
        tracer: ports.tracer,
        inFlight: new InFlightLimits(),
        scheduler: new SchoolScheduler(),
        trusted: trustedProxies(settings.TRUSTED_PROXIES),
        ids,
        clock,
        logger,
      }),
      async ready(isAway) {
        if (!documents.isPublished) {
          await describeSiblings(
            ports,
            services.filter((each) => !elsewhere.has(each)),
            api,
          );
          documents.publish();
        }
        if (!knowsSchools(ports)) {
          hosts.caughtUp();
          logger.warn({ module: 'school' }, 'no school service is configured: every host is unknown');
        } else if (!isAway?.('school')) await schools.caughtUp();
        await schools.recalled;
      },
      async close() {
        await mcp.close();
        await changes.close();
        await descriptions.close();
        await Promise.all([schools.close(), documents.close()]);
        await Promise.all([...elsewhere.values()].map((each) => each.close()));
      },
    } satisfies Started;
  },
};

/** What the gateway itself offers. */
const withChanges = ({ openapi: { tags, paths, components } }: Changes): ServiceDescription => {
  const own = publicApi();
  const all = [...objects(own['tags']), ...objects(tags)];
  return {
    service: 'gateway',
    document: { tags: all, paths: { ...object(own['paths']), ...object(paths) }, components },
  };
};

/** The services that run in other processes. Only where there are any, the HTTP client is loaded. */
async function remoteUpstreams(
  { ids, logger, peer }: ModulePorts,
  services: readonly string[],
): Promise<ReadonlyMap<string, HttpUpstream>> {
  const peers = services.flatMap((service) => peer?.(service) ?? []);
  if (peers.length === 0) return new Map();
  const { httpUpstream } = await import('./upstream/http-upstream.ts');
  return new Map(
    peers.map((known) => {
      const service = known.name;
      const report = (err: unknown) => logger.error({ module: service, err }, 'a service failed to answer');
      const upstream = httpUpstream(known, {
        report,
        refuse(response, description, retryAfter) {
          const requestId = String(response.getHeader('x-request-id') ?? ids.next('req'));
          const headers = { 'Retry-After': String(retryAfter) };
          refuse(response, 'temporarily_unavailable', requestId, { description, headers });
        },
      });
      return [service, upstream] as const;
    }),
  );
}

/** The API of all services of this process. One that is not there is left out; one that cannot answer stops the start. */
async function describeSiblings(ports: ModulePorts, services: readonly string[], api: CollectedApi): Promise<void> {
  for (const service of services) {
    const upstream = known(ports, service);
    if (upstream) api.require({ service, document: await upstream.describe() });
    else ports.logger.warn({ module: service }, 'no such service here: its paths answer 503 and are not described');
  }
}

const knowsSchools = (ports: ModulePorts): boolean =>
  known(ports, 'school') !== undefined || ports.peer?.('school') !== undefined;

/** A service of this process, or undefined. */
function known(ports: ModulePorts, service: string): Upstream | undefined {
  try {
    return ports.upstream(service);
  } catch {
    return undefined;
  }
}
