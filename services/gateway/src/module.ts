import type { Module, ModulePorts, Started, Upstream } from '@lyceum/runtime';
import { Documents } from './documents.ts';
import { followSchools } from './follow-schools.ts';
import { front } from './front.ts';
import { Hosts } from './hosts.ts';
import { type Described, type MergedApi, mergeApis } from './openapi.ts';
import { publicApi, publicPaths } from './openapi-public.ts';
import { routes, serviceOf } from './routes.ts';

/**
 * The edge of the house: knows every school by its host, serves the documents that describe it, and sends the rest to the
 * service that owns the path. Keeps nothing on disk.
 */
export const gateway: Module = {
  name: 'gateway',
  routes: ['/'],
  consumes: ['school'],
  forwards: [...new Set(Object.values(routes))],
  stateless: true,
  async start(ports) {
    const hosts = new Hosts();
    const schools = followSchools(ports, hosts);
    const { ids, clock, logger } = ports;
    let documents: Documents | undefined;
    return {
      app: front({
        hosts,
        documents: { at: (school, path) => documents?.at(school, path) },
        upstream: (service) => ports.upstream(service),
        ids,
        clock,
        logger,
      }),
      async ready() {
        documents ??= new Documents(await describeAll(ports), ports.settings.DOCS_URL);
        if (known(ports, 'school')) await schools.caughtUp();
        else logger.warn({ module: 'school' }, 'nobody tells of schools here: every host is unknown');
      },
      close: () => schools.close(),
    } satisfies Started;
  },
};

const ownerOf = (path: string): string | undefined => (publicPaths.includes(path) ? 'gateway' : serviceOf(path));

/** The API of all services that can be asked. One that this process does not know is left out; one that cannot answer stops the start. */
async function describeAll(ports: ModulePorts): Promise<MergedApi> {
  const described: Described[] = [{ service: 'gateway', document: publicApi() }];
  for (const service of new Set(Object.values(routes))) {
    const upstream = known(ports, service);
    if (upstream) described.push({ service, document: await upstream.describe() });
    else ports.logger.warn({ module: service }, 'no such service here: its paths answer 503 and are not described');
  }
  return mergeApis(described, ownerOf);
}

/** A service, or undefined when this process and its settings know none of that name. */
function known(ports: ModulePorts, service: string): Upstream | undefined {
  try {
    return ports.upstream(service);
  } catch {
    return undefined;
  }
}
