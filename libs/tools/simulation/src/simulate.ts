import { Clients } from './clients.ts';
import { Faults } from './faults.ts';
import { unmet } from './checks/goal.ts';
import { Ledger } from './checks/ledger.ts';
import { type FaultKind, isCalm, planOf } from './plan.ts';
import { Reads } from './checks/reads.ts';
import { secondRelease } from './services/releases.ts';
import { Tenants } from './checks/tenants.ts';
import { watchLog } from './checks/truth.ts';
import { latest } from './servers/wire.ts';
import { World, serviceNames } from './world.ts';

/** How a seed ended. */
export interface Outcome {
  readonly seed: number;
  /** What must not be; undefined when all was well. */
  readonly found: string | undefined;
  readonly faults: readonly FaultKind[];
  readonly history: readonly string[];
  /** Simulated milliseconds, and tasks that were run. */
  readonly time: number;
  readonly steps: number;
}

/** Milliseconds of the simulation: until clients begin, between two of their commands about, and for what was wrong to heal. */
const [starting, healing] = [1_000, 120_000];

/** Milliseconds between two looks at the end, and how many in a row must find nothing. */
const [betweenLooks, enough] = [500, 3];

/** Runs one seed from its beginning to its end. */
export async function simulate(
  seed: number,
  {
    mutations = new Set(),
    without = new Set(),
  }: { mutations?: ReadonlySet<string>; without?: ReadonlySet<FaultKind> } = {},
): Promise<Outcome> {
  const plan = planOf(seed, without);
  const world = new World(seed, mutations);
  const ledger = new Ledger();
  const reads = new Reads(world, ledger);
  const clients = new Clients(world, plan, ledger, reads);
  const faults = new Faults(world, plan, clients, reads);
  const tenants = new Tenants(world, plan, ledger);
  watchLog(world);
  connections.world = world;
  const { scheduler, random } = world;
  const isBroken = () => world.broken !== undefined;
  for (const service of serviceNames)
    for (let count = 0; count < plan.processes; count += 1) world.start(service, faults.release, faults.skew());
  await scheduler.run(starting, isBroken);

  const { duration } = plan;
  clients.begin();
  faults.begin(duration);
  tenants.begin(scheduler.now + duration);
  for (let count = 0; count < plan.commands; count += 1)
    scheduler.after(200 + random.between(0, duration), () => clients.act(), undefined);
  await scheduler.run(starting + duration, isBroken);

  faults.end();
  // What comes late may destroy a key yet: the start that completes the erasure is after that.
  if (plan.faults.has('late-writes')) await scheduler.run(scheduler.now + latest, isBroken);
  if (!isCalm(plan)) restart(world, ledger);
  regrow(world, clients);
  const left = isBroken() ? [] : await settled(world, () => unmet(world, plan, ledger, secondRelease));
  const found = world.broken?.message ?? left[0] ?? (mutations.has('nothing') ? 'nothing' : undefined);
  return {
    seed,
    found,
    faults: [...plan.faults],
    history: [...world.history, ...left.map((what) => `MISSING ${what}`)],
    time: scheduler.now,
    steps: scheduler.steps,
  };
}

/** Old releases are replaced; so is a process of the school when an erasure was cut off, which the next start completes. */
function restart(world: World, { erasures }: Ledger): void {
  const isOwed = [...erasures.values()].some(({ doneAt }) => doneAt === undefined);
  for (const service of serviceNames)
    for (const [index, node] of world.alive(service).entries())
      if (node.release.number === 1 || (isOwed && service === 'school' && index === 0)) {
        world.crash(node);
        world.start(service, secondRelease, 0);
      }
}

/** Goes on writing until a log that was put back has more than it ever had. */
function regrow(world: World, clients: Clients): void {
  const { log } = world.servers.school;
  const again = (): void => {
    if (!log.lanes.some(({ isShort }) => isShort)) return;
    clients.stir();
    world.scheduler.after(700, again, undefined);
  };
  if (world.wasRestored) again();
}

/** The world whose servers processes connect to. */
const connections: { world: World | undefined } = { world: undefined };

/** What the code under test gets instead of a connection (see `seams`). */
export const connect = (): unknown => {
  const { world } = connections;
  const { current } = world!.scheduler;
  const service = serviceNames.find((name) => current!.name.startsWith(name))!;
  return world!.servers[service].log.connect(current);
};

/** Goes on until nothing is missing, at several looks; tells what still is at the end. */
async function settled(world: World, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const { scheduler } = world;
  const end = scheduler.now + healing;
  let left: readonly string[] = ['nothing was looked at'];
  for (let quiet = 0; quiet < enough && scheduler.now < end && !world.broken;) {
    await scheduler.run(scheduler.now + betweenLooks, () => world.broken !== undefined);
    scheduler.current = undefined;
    let isSeen = false;
    const seen = look().finally(() => (isSeen = true));
    // What is read takes turns of the event loop, which are of this moment.
    await scheduler.run(scheduler.now, () => isSeen);
    left = await seen;
    quiet = left.length === 0 ? quiet + 1 : 0;
  }
  return left;
}
