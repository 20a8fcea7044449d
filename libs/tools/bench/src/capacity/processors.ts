import type { Given } from './assumptions.ts';
import type { Load } from './load.ts';
import type { UnitCosts } from './unit-costs.ts';

/** What a role needs over the whole installation. */
export interface RoleNeed {
  readonly role: string;
  /** Cores that are busy at the peak. */
  readonly busy: number;
  /** Cores that are there for it. */
  readonly cores: number;
  /** Processes: of Lyceum one for each core, and two at least in each cell; of engines as their vendors advise. */
  readonly processes: number;
  /** Memory of all of them, GB. */
  readonly memory: number;
}

const microseconds = 1e-6;

/** Services behind the gateway that answer requests; each has its consumer and its relay. */
export const services = 8;

/** Cells that so many schools take. */
export const cellsOf = ({ schools, schoolsPerCell }: Given): number => Math.max(1, Math.ceil(schools / schoolsPerCell));

/** One role of Lyceum: a process of Node.js uses one core, and no kind of process is alone in its cell. */
export function roleNeed(role: string, busy: number, megabytes: number, kinds: number, given: Given): RoleNeed {
  const cores = busy / given.coreShare;
  const processes = Math.max(Math.ceil(cores), cellsOf(given) * kinds * 2);
  return {
    role,
    busy,
    cores: Math.max(cores, processes * idleCores),
    processes,
    memory: (processes * megabytes) / 1_024,
  };
}

/** What is kept for a process that has nothing to do. */
const idleCores = 0.25;

/** The processes of Lyceum, by role. Costs are microseconds of one core. */
export function processNeeds(given: Given, load: Load, costs: UnitCosts): readonly RoleNeed[] {
  const { gateway, mcp, read, append, refresh, exchange, password, projection, relay, consume } = costs;
  const of = (...parts: [rate: number, cost: number][]): number =>
    parts.reduce((sum, [rate, cost]) => sum + rate * cost * microseconds, 0);
  const published = load.events * given.publishedShare;
  return [
    roleNeed('gateway', of([load.requests, gateway], [load.mcpCalls, mcp]), costs.gatewayMemory, 1, given),
    roleNeed('services, http', of([load.requests, read], [load.writes, append]), costs.httpMemory, services, given),
    roleNeed(
      'auth, http',
      of([load.refreshes, refresh], [load.signIns, exchange], [load.signIns, password]),
      costs.httpMemory,
      1,
      given,
    ),
    roleNeed(
      'consumers',
      of([load.events * given.readModels, projection], [published, consume]),
      costs.consumerMemory,
      services + 1,
      given,
    ),
    roleNeed('relays', of([published, relay]), costs.relayMemory, services + 1, given),
  ];
}

/** The servers below: MongoDB, Kafka, Redis. Nodes are what a cell needs of copies, or what the load takes. */
export function engineNeeds(
  given: Given,
  load: Load,
  costs: UnitCosts,
  stored: { database: number },
): readonly RoleNeed[] {
  const cells = cellsOf(given);
  const engine = (role: string, busy: number, nodesPerCell: number, memory: number): RoleNeed => {
    const nodes = nodesPerCell * cells;
    const cores = Math.max(busy / given.coreShare, nodes * 2);
    return { role, busy, cores, processes: nodes, memory };
  };
  // Every copy writes; reads go to one.
  const written = load.events * (1 + given.readModels) * given.copies;
  const records = load.events * given.publishedShare * given.copies;
  return [
    engine(
      'MongoDB',
      (written + load.reads) * costs.databaseOperation * microseconds,
      given.copies,
      Math.max((stored.database * costs.databaseCache) / 1e9, given.copies * cells * 4),
    ),
    engine('Kafka', records * costs.brokerRecord * microseconds, given.copies, given.copies * cells * 6),
    engine(
      'Redis',
      (load.requests + load.signIns * 2) * costs.redisOperation * microseconds,
      2,
      redisMemory(given, load, costs),
    ),
  ];
}

/** Codes live a minute; the counters of who is there. Everything twice, and a gigabyte for a server that has nothing, GB. */
export function redisMemory(given: Given, load: Load, costs: UnitCosts): number {
  const codes = load.signIns * 60 * costs.codeBytes;
  const counters = load.sessions * 2 * costs.counterBytes;
  return (2 * (codes + counters)) / 1e9 + 2 * cellsOf(given);
}
