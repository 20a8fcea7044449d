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

const lines = z.array(
  z.object({
    line_id: z.string(),
    item_type: z.string(),
    item_id: z.string(),
    /** What the access comes from; the line when not given. */
    source_id: z.string().optional(),
    /** How long it lasts, as it was sold; null = for ever, absent = as the course says. */
    access_days: z.int().nullable().optional(),
  }),
);

/** `restored`, `since`: what rested from then on and is back. */
const bought = z.object({
  member_id: z.string().nullable().default(null),
  lines: lines.default([]),
  restored: lines.default([]),
  since: z.string().optional(),
});

interface Line {
  readonly line_id: string;
  readonly item_type: (typeof given)[number];
  readonly item_id: string;
  readonly source_id?: string | undefined;
  readonly access_days?: number | null | undefined;
}

type BoughtPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock'>;

/** What happens to the access of a line. */
type Change = 'grant' | 'restore' | 'refund' | 'chargeback' | 'disputed';

/** The same, by the event. */
const changes = {
  OrderFulfillable: 'grant',
  OrderRefunded: 'refund',
  OrderRefundReversed: 'grant',
  OrderDisputeResolved: 'chargeback',
} as const satisfies Readonly<Record<string, Change>>;

/** When access ends that begins now: as it was sold, or as the course says where that is not told. A product is for ever. */
async function endFor(ports: BoughtPorts, school: string, { item_type, item_id, access_days }: Line, now: string) {
  if (item_type !== 'course') return null;
  if (access_days !== undefined) return endOfAccess({ access_days }, now);
  const course = await knownCourse(ports, school, item_id);
  if (!course) throw new Unavailable('the course that was bought is not known here yet');
  return endOfAccess(course, now);
}

/** What is done for lines of an event. */
interface Settling {
  readonly change: Change;
  readonly lines: z.output<typeof lines>;
  readonly since?: string | undefined;
}

async function commandFor(
  ports: BoughtPorts,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  line: Line,
  { change, since = null }: Omit<Settling, 'lines' | 'since'> & { readonly since?: string | null | undefined },
): Promise<Granting['command']> {
  const { line_id, source_id = line_id } = line;
  const source = { source_type: 'order_line', source_id } as const;
  if (change !== 'grant' && change !== 'restore') return { ...source, type: 'RevokeAccess', reason: change };
  const isOf = (id: string) => id === line_id || id.startsWith(`${line_id}~`);
  const resumes = change === 'restore' ? { resumes: { isOf, since } } : {};
  const expires_at = await endFor(ports, tenant, line, now);
  return { ...source, type: 'GrantAccess', starts_at: now, expires_at, ...resumes };
}

async function settle(
  event: Incoming,
  ports: BoughtPorts,
  member_id: string | null,
  { lines: all, ...settling }: Settling,
): Promise<void> {
  // Nobody has anything of an order whose buyer nobody knows yet.
  if (member_id === null || all.length === 0) return;
  const { tenant, stream, version } = event;
  // Nobody is left to have anything, or to lose it.
  if ((await knownMember(ports, tenant, member_id))?.status === 'erased') return;
  for (const line of all.filter(isGiven)) {
    const { line_id, item_type, item_id } = line;
    const at = isoTime(ports.clock.now());
    const command = await commandFor(ports, { tenant, now: at }, line, settling);
    const commitId = uuidv5('bought', tenant, stream, version, line_id);
    const about = { tenant, item_type, item_id, member_id };
    await changeGrant(ports.log, { ...about, command, at, meta: { actor: 'system' }, commitId });
  }
}

async function follow(event: Incoming, ports: BoughtPorts): Promise<void> {
  const { member_id, lines: told } = bought.parse(event.data);
  const change = Object.hasOwn(changes, event.type) ? changes[event.type as keyof typeof changes] : 'refund';
  return settle(event, ports, member_id, { change, lines: told });
}

async function followDispute(event: Incoming, ports: BoughtPorts): Promise<void> {
  const { member_id, lines: told, restored, since } = bought.parse(event.data);
  if (event.type === 'OrderDisputed') return settle(event, ports, member_id, { change: 'disputed', lines: told });
  return settle(event, ports, member_id, { change: 'restore', lines: restored, since });
}

/**
 * Gives members access to what they bought: a grant for each line of an order. What is refunded or charged back takes back
 * the grants of its own lines only, also where it comes first; whatever access there is from elsewhere stays. A refund that
 * failed later gives them again, from another source.
 */
const boughtReaction: Reaction = {
  name: 'bought',
  source: 'commerce',
  events: Object.keys(changes),
  perform: follow,
};

/**
 * Lets access to what is disputed rest, where its order says so, and gives it again when the dispute is won, from another
 * source: so it does not matter what comes first, nor how often. A reaction of its own, because a release that does not know
 * disputes passes over what `bought` follows.
 */
const disputesReaction: Reaction = {
  name: 'bought-disputes',
  source: 'commerce',
  events: ['OrderDisputed', 'OrderDisputeResolved'],
  perform: followDispute,
};

/** What follows from orders for the access of their members. */
export const boughtReactions: readonly Reaction[] = [boughtReaction, disputesReaction];
