import { Random } from './running/random.ts';

/** What may go wrong. */
export const faultKinds = [
  'election',
  'outage',
  'lost-answers',
  'late-writes',
  'transport',
  'pause',
  'crash',
  'restore-documents',
  'restore-keys',
  'restore-log',
  'skew',
  'poison',
  'slow-receiver',
  'upgrade',
  'slow-build',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** What happens in one seed. */
export interface Plan {
  readonly seed: number;
  readonly faults: ReadonlySet<FaultKind>;
  readonly schools: readonly string[];
  /** Processes of each service. */
  readonly processes: number;
  /** Commands of clients. */
  readonly commands: number;
  /** Milliseconds in which these happen. */
  readonly duration: number;
}

const schoolNames = ['elm', 'oak', 'ash', 'fir', 'yew'];

const restores: readonly FaultKind[] = ['restore-documents', 'restore-keys', 'restore-log'];

/** Few kinds at a time: with all of them at once, most of what happens is that nothing works. */
export function planOf(seed: number, without: ReadonlySet<FaultKind> = new Set()): Plan {
  const random = new Random(seed);
  const faults = new Set<FaultKind>();
  for (let left = random.below(5); left > 0; left -= 1) faults.add(random.pick(faultKinds));
  if (faults.has('slow-build')) faults.add('upgrade');
  // One part is put back at most: of two, nobody could say what must be left.
  for (const each of restores.filter((kind) => faults.has(kind)).slice(1)) faults.delete(each);
  for (const each of without) faults.delete(each);
  const schools = schoolNames.slice(0, 2 + random.below(3));
  const isLong = random.chance(0.05);
  const commands =
    (8 + random.below(14)) * (isLong ? 4 : 1) * (faults.has('upgrade') ? 2 : 1) * (faults.has('restore-keys') ? 3 : 1);
  return { seed, faults, schools, processes: random.chance(0.15) ? 1 : 2, commands, duration: commands * 200 };
}

/** Kinds that make nobody wait but whom they concern: while only these are there, no school waits for another. */
const harmless: readonly FaultKind[] = ['poison', 'slow-receiver', 'skew'];

/** Whether nothing goes wrong that could make anybody wait, or anything come twice. */
export const isCalm = ({ faults }: Plan): boolean => [...faults].every((kind) => harmless.includes(kind));
