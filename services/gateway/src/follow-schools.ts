import { schoolFacts } from '@lyceum/contracts';
import type { Channel, Message, Subscribed } from '@lyceum/channel';
import type { ModulePorts } from '@lyceum/runtime';
import type { Hosts } from './hosts.ts';
import { schoolFrom } from './school.ts';

type Logger = Pick<ModulePorts['logger'], 'error'>;
type Fact = Message['facts'][number];

/**
 * Keeps the table of hosts equal to what the school service says. The table lives in memory, so every start reads the
 * history from its beginning; `caughtUp` of the result tells when it is complete.
 */
export function followSchools(channel: Channel, hosts: Hosts, logger: Logger): Subscribed {
  const watermarks = new Map<number, number>();
  return channel.subscribe({
    consumer: 'gateway',
    source: 'school',
    from: (lane) => Promise.resolve(watermarks.get(lane) ?? 0),
    handle: (message) => {
      for (const fact of message.facts) apply(hosts, message, fact, logger);
      watermarks.set(message.lane, message.position);
      return Promise.resolve();
    },
  });
}

/** One fact. What cannot be served is logged and left out: one bad school must not hold up the others of its lane. */
function apply(hosts: Hosts, { tenant, at }: Message, fact: Fact, logger: Logger): void {
  const told = readFact(hosts, tenant, fact);
  if (told === undefined) return;
  const school = told && schoolFrom({ id: tenant, ...told });
  if (school) hosts.put(school, at);
  else logger.error({ school: tenant, fact: fact.id, type: fact.type }, 'a school has no usable address');
}

/** Name and address of the school after the fact; null when they are unusable, undefined when the fact is about something else. */
function readFact(
  hosts: Hosts,
  tenant: string,
  fact: Fact,
): { name: string; host: string; base_url: string } | null | undefined {
  if (fact.type === 'SchoolProvisioned') return schoolFacts.SchoolProvisioned.data.safeParse(fact.data).data ?? null;
  if (fact.type !== 'SchoolMoved') return undefined;
  const moved = schoolFacts.SchoolMoved.data.safeParse(fact.data).data;
  const before = hosts.byId(tenant);
  return moved && before ? { name: before.name, ...moved } : null;
}
