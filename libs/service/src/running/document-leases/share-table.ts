/** A process that takes part in work which processes share. */
export interface Member {
  /** The number of the counter that it moves while it works. */
  readonly seat: number;
  /** What of the work its release does in its own way: only processes of one form share. */
  readonly form: string;
  /** It met what it does not know, and takes only what nobody else can. */
  readonly isReserve?: boolean;
}

/** Who works on which lanes. It is changed by one process at a time. */
export interface ShareTable {
  readonly members: Readonly<Record<string, Member>>;
  /** The member that has the lease of the whole work, and with it the right to have it shared. */
  readonly leader: string | null;
  /** The form of the leader, or of the last one. */
  readonly form: string | null;
  /** The member that has each lane. */
  readonly lanes: readonly (string | null)[];
}

/** What a process wants of the table. */
export interface Wanted {
  readonly id: string;
  readonly form: string;
  readonly isReserve: boolean;
  /** Whether it has the lease of the whole work. */
  readonly leads: boolean;
  /** How many lanes the log has. */
  readonly lanes: number;
  /** Members that do not work any more. */
  readonly gone: ReadonlySet<string>;
  /** Lanes in which it has ended its work. */
  readonly left: readonly number[];
}

export const noTable: ShareTable = { members: {}, leader: null, form: null, lanes: [] };

/** The lanes that a member has. */
export const lanesHeld = ({ lanes }: ShareTable, id: string): readonly number[] =>
  lanes.flatMap((holder, lane) => (holder === id ? [lane] : []));

/** The table as a process wants it: with itself, without members that are gone, and with what is free given away. */
export function changedBy(table: ShareTable, wanted: Wanted): ShareTable {
  const { id, form, isReserve, leads, gone, left } = wanted;
  const staying = Object.fromEntries(Object.entries(table.members).filter(([each]) => each === id || !gone.has(each)));
  const seat = staying[id]?.seat ?? freeSeat(Object.values(staying));
  const members = { ...staying, [id]: { seat, form, ...(isReserve ? { isReserve } : {}) } };
  const isLed = table.leader !== null && table.leader !== id && table.leader in members;
  const lanes = leads && table.lanes.length !== wanted.lanes ? Array<null>(wanted.lanes).fill(null) : table.lanes;
  return givenAway({
    members,
    leader: leads ? id : isLed ? table.leader : null,
    form: leads ? form : table.form,
    lanes: lanes.map((holder, lane) => (holder === id && left.includes(lane) ? null : holder)),
  });
}

/** The table after a member has gone, which had ended its work. */
export function without(table: ShareTable, id: string): ShareTable {
  const { [id]: _, ...members } = table.members;
  return givenAway({ ...table, members, leader: table.leader === id ? null : table.leader });
}

/** How many lanes a member should have: about as many as each other one, and the more where there are more now. */
export function quotaOf(table: ShareTable, id: string): number {
  const sharing = sharingIn(table);
  const place = sharing.indexOf(id);
  if (place < 0) return 0;
  const all = table.lanes.length;
  return Math.floor(all / sharing.length) + (place < all % sharing.length ? 1 : 0);
}

/** Those of the leader's form, without reserves where there are others; who has most comes first. */
function sharingIn(table: ShareTable): readonly string[] {
  const alike = Object.entries(table.members).filter(([, { form }]) => form === table.form);
  const willing = alike.filter(([, { isReserve }]) => !isReserve);
  const held = (id: string): number => lanesHeld(table, id).length;
  return (willing.length > 0 ? willing : alike)
    .toSorted(([one, a], [other, b]) => held(other) - held(one) || a.seat - b.seat)
    .map(([id]) => id);
}

/** Gives lanes that nobody has to members that have too few. */
function givenAway(table: ShareTable): ShareTable {
  const lanes = table.lanes.map((holder) => (holder !== null && holder in table.members ? holder : null));
  const given = { ...table, lanes };
  const lacking = sharingIn(given).flatMap((id) => {
    const lack = quotaOf(given, id) - lanesHeld(given, id).length;
    return Array<string>(Math.max(0, lack)).fill(id);
  });
  return { ...table, lanes: lanes.map((holder) => holder ?? lacking.shift() ?? null) };
}

function freeSeat(members: readonly Member[]): number {
  const taken = new Set(members.map(({ seat }) => seat));
  let seat = 0;
  while (taken.has(seat)) seat += 1;
  return seat;
}
