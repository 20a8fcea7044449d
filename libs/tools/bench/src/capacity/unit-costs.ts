/**
 * What one of something costs, whether it was measured, and by what. `busy`: other programs had most of the machine
 * meanwhile, so a quiet one takes less.
 */
export interface UnitCost {
  readonly value: number;
  readonly unit: string;
  readonly what: string;
  /** The command that measured it; absent = assumed. */
  readonly command?: string;
  /** The day of the measurement. */
  readonly at?: string;
  readonly busy?: boolean;
}

const assumed = (value: number, unit: string, what: string): UnitCost => ({ value, unit, what });
const measured = (value: number, unit: string, what: string, command: string, at: string, busy = false): UnitCost => ({
  value,
  unit,
  what,
  command,
  at,
  ...(busy && { busy }),
});
const stored = (value: number, unit: string, what: string, busy = false): UnitCost =>
  measured(value, unit, what, 'npm run capacity -- --measure', '2026-11-26', busy);

/** Costs of one by name: microseconds of one of two shared cores, bytes, megabytes. docs/capacity.md says how they are used. */
export const unitCosts = {
  gateway: measured(147, 'µs', 'a request at the gateway, counted', 'npm run bench -- gateway', '2026-11-26', true),
  mcp: measured(704, 'µs', 'a call of an MCP tool', 'npm run bench -- mcp', '2026-11-23'),
  read: measured(108, 'µs', 'a course read at its service, with a token', 'npm run bench -- api', '2026-11-23'),
  append: measured(
    94,
    'µs',
    'an append on a MongoDB-wire server, 64 writers',
    'npm run bench -- mongo',
    '2026-11-26',
    true,
  ),
  projection: measured(24, 'µs', 'an event in one read model', 'npm run bench -- rebuild', '2026-11-26', true),
  password: stored(12_766, 'µs', 'a password (argon2id, 19 MiB, 2 passes)', true),
  eventsPerWrite: stored(2.04, 'events', 'events of a write'),
  eventBytes: stored(306, 'bytes', 'an event with its share of the commit'),
  memberBytes: stored(373, 'bytes', 'a member in the read model'),
  enrollmentBytes: stored(911, 'bytes', 'an enrollment in the read model'),
  orderBytes: stored(1_787, 'bytes', 'an order in the read model'),
  courseBytes: stored(1_255, 'bytes', 'a course in the read model'),
  refresh: measured(2_148, 'µs', 'a refresh of tokens', 'npm run bench -- auth', '2026-11-26', true),
  exchange: measured(3_409, 'µs', 'a code for tokens', 'npm run bench -- auth', '2026-11-26', true),
  relay: measured(
    210,
    'µs',
    'a record that is published, half of its way',
    'npm run bench -- kafka',
    '2026-11-26',
    true,
  ),
  consume: measured(
    210,
    'µs',
    'a record where it is heard of, the other half',
    'npm run bench -- kafka',
    '2026-11-26',
    true,
  ),
  laneRate: measured(
    4_785,
    'events/s',
    'events that one writer appends to one lane',
    'npm run bench -- mongo',
    '2026-11-26',
    true,
  ),
  databaseOperation: assumed(100, 'µs', 'an operation of the database'),
  databaseCache: assumed(0.05, 'of 1', 'what of stored bytes the database keeps in memory'),
  brokerRecord: assumed(20, 'µs', 'a record at one broker'),
  redisOperation: assumed(15, 'µs', 'an operation of Redis'),
  recordBytes: assumed(700, 'bytes', 'a record of a topic'),
  codeBytes: assumed(500, 'bytes', 'an authorization code'),
  counterBytes: assumed(150, 'bytes', 'a counter of requests'),
  gatewayMemory: assumed(768, 'MiB', 'a gateway (request of deploy/values/large.yaml)'),
  httpMemory: assumed(512, 'MiB', 'a process that answers requests (likewise)'),
  consumerMemory: assumed(512, 'MiB', 'a consumer (likewise)'),
  relayMemory: assumed(256, 'MiB', 'a relay (likewise)'),
} as const satisfies Readonly<Record<string, UnitCost>>;

/** Costs as numbers. */
export type UnitCosts = Readonly<Record<keyof typeof unitCosts, number>>;

/** The costs as they stand in the table. */
export const knownCosts = Object.fromEntries(
  Object.entries(unitCosts).map(([name, { value }]) => [name, value]),
) as UnitCosts;
