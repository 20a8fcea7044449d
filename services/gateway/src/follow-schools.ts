import { schoolFacts } from '@lyceum/contracts';
import { type Arrival, type ModulePorts, followFacts } from '@lyceum/runtime';
import type { Hosts } from './hosts.ts';
import { schoolFrom } from './school.ts';

type Ports = Pick<ModulePorts, 'channel'> & { readonly logger: Pick<ModulePorts['logger'], 'error'> };

/**
 * Keeps the table of hosts equal to what the school service says, from the beginning of its history at every start.
 * What cannot be served is logged and left out: one bad school must not hold up the others of its lane.
 */
export const followSchools = ({ channel, logger }: Ports, hosts: Hosts): ReturnType<typeof followFacts> =>
  followFacts({ channel }, 'school', 'gateway', ({ tenant, at, fact, lane, position }) => {
    if (fact.type === 'AppearancePublished') return restyle(hosts, tenant, fact.data);
    const told = readFact(hosts, tenant, fact);
    if (told === undefined) return;
    const school = told && schoolFrom({ id: tenant, look: hosts.byId(tenant)?.look, ...told });
    if (school) hosts.put(school, at);
    else logger.error({ school: tenant, event: fact.type, lane, position }, 'a school has no usable address');
  });

/** A look that cannot be read changes nothing: the school is shown as before. */
function restyle(hosts: Hosts, tenant: string, data: unknown): void {
  const published = schoolFacts.AppearancePublished.data.safeParse(data).data;
  const school = hosts.byId(tenant);
  if (!published || !school) return;
  const { revision: _revision, ...look } = published;
  hosts.change(Object.freeze({ ...school, look }));
}

/** Name and address of the school after the fact; null when they are unusable, undefined when the fact is about something else. */
function readFact(
  hosts: Hosts,
  tenant: string,
  fact: Arrival['fact'],
): { name: string; host: string; base_url: string } | null | undefined {
  if (fact.type === 'SchoolProvisioned') return schoolFacts.SchoolProvisioned.data.safeParse(fact.data).data ?? null;
  if (fact.type !== 'SchoolMoved') return undefined;
  const moved = schoolFacts.SchoolMoved.data.safeParse(fact.data).data;
  const before = hosts.byId(tenant);
  return moved && before ? { name: before.name, ...moved } : null;
}
