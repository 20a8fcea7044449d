import type { Incoming } from '@lyceum/documents';
import { Unavailable } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { z } from 'zod';
import { endOfAccess } from '../courses/enrolling.ts';
import { knownCourse } from '../courses/known-courses.ts';
import { type Granting, changeGrant } from '../granting/granting.ts';
import { knownMember } from '../members/known-members.ts';

/** Integration events carry kinds of items that a newer release sells, too: those are not for this one to give. */
const given = ['course', 'digital_product'] as const;

const isGiven = (line: { readonly item_type: string }): line is Line =>
  given.some((item_type) => item_type === line.item_type);

const bought = z.object({
  member_id: z.string().nullable(),
  lines: z.array(
    z.object({
      line_id: z.string(),
      item_type: z.string(),
      item_id: z.string(),
      /** What the access comes from; the line when not given. */
      source_id: z.string().optional(),
    }),
  ),
});

interface Line {
  readonly line_id: string;
  readonly item_type: (typeof given)[number];
  readonly item_id: string;
  readonly source_id?: string | undefined;
}

type BoughtPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock'>;

/** What happens to the access of a line, by the event. */
const changes: Readonly<Record<string, 'grant' | 'refund' | 'chargeback'>> = {
  OrderFulfillable: 'grant',
  OrderRefunded: 'refund',
  OrderRefundReversed: 'grant',
  OrderDisputeResolved: 'chargeback',
};

/** When access ends that begins now: as the course says, whatever became of it meanwhile. A product is for ever. */
async function endFor(ports: BoughtPorts, school: string, { item_type, item_id }: Line, now: string) {
  if (item_type !== 'course') return null;
  const course = await knownCourse(ports, school, item_id);
  if (!course) throw new Unavailable('the course that was bought is not known here yet');
  return endOfAccess(course, now);
}

async function commandFor(
  ports: BoughtPorts,
  { tenant, type }: Incoming,
  line: Line,
  now: string,
): Promise<Granting['command']> {
  const source = { source_type: 'order_line', source_id: line.source_id ?? line.line_id } as const;
  const change = changes[type] ?? 'refund';
  if (change !== 'grant') return { ...source, type: 'RevokeAccess', reason: change };
  return { ...source, type: 'GrantAccess', starts_at: now, expires_at: await endFor(ports, tenant, line, now) };
}

async function settle(event: Incoming, ports: BoughtPorts): Promise<void> {
  const { member_id, lines } = bought.parse(event.data);
  // Nobody has anything of an order whose buyer nobody knows yet.
  if (member_id === null) return;
  const { tenant, stream, version } = event;
  // Nobody is left to have anything, or to lose it.
  if ((await knownMember(ports, tenant, member_id))?.status === 'erased') return;
  for (const line of lines.filter(isGiven)) {
    const { line_id, item_type, item_id } = line;
    const at = isoTime(ports.clock.now());
    const command = await commandFor(ports, event, line, at);
    const commitId = uuidv5('bought', tenant, stream, version, line_id);
    await changeGrant(ports.log, {
      tenant,
      item_type,
      item_id,
      member_id,
      command,
      at,
      meta: { actor: 'system' },
      commitId,
    });
  }
}

/**
 * Gives members access to what they bought: a grant for each line of an order. What is refunded or charged back takes back
 * the grants of its own lines only, also where it comes first; whatever access there is from elsewhere stays. A refund that
 * failed later gives them again, from another source.
 */
export const boughtReaction: Reaction = {
  name: 'bought',
  source: 'commerce',
  events: Object.keys(changes),
  perform: settle,
};
