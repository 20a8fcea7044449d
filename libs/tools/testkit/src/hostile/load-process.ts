// A process of its own that loads a school: told a `HostileSchool` and the names of ways, it begins and says `begun`; told
// anything more, it says what was answered as soon as each way has worked, and ends. It has the least priority: who
// really attacks has machines of their own.
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../http/client.ts';
import type { HostileSchool } from './hostile-school.ts';
import { Lane } from './lane.ts';
import type { Way } from './ways.ts';
import { allWays } from './all-ways.ts';

setPriority(constants.priority.PRIORITY_LOW);

/** What is to be done. */
export interface LoadOrder {
  readonly school: HostileSchool;
  readonly names: readonly string[];
  /** How many of the callers of each way there are, from 0 to 1. */
  readonly share: number;
}

/** How often each status was answered. */
type Answers = Record<string, number>;

const answers: Record<string, Answers> = {};
const lanes: Lane[] = [];

async function along(way: Way, school: HostileSchool, lane: Lane): Promise<never> {
  const act = way.begin(school, lane);
  const counts = (answers[way.name] ??= {});
  for (;;) {
    const status = await act().catch(() => 0);
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 0) await sleep(20);
  }
}

/** Milliseconds that a way has in the end, when the server was too busy with the others so far. */
const patience = 30_000;

const hasWorked = ({ name, works }: Way): boolean => works.some((status) => (answers[name]?.[status] ?? 0) > 0);

async function end(ways: readonly Way[]): Promise<void> {
  for (const until = performance.now() + patience; performance.now() < until && !ways.every(hasWorked);)
    await sleep(50);
  process.send!(answers, () => process.exit());
}

process.once('message', ({ school, names, share }: LoadOrder) => {
  const { id, redirectUri } = school.client;
  const told = { ...school, client: Client.known(school.baseUrl, id, redirectUri) };
  const ways = allWays.filter(({ name }) => names.includes(name));
  for (const way of ways)
    for (let index = 0; index < way.lanes * share; index += 1) {
      const lane = new Lane(index, school.baseUrl);
      lanes.push(lane);
      void along(way, told, lane);
    }
  process.send!('begun');
  process.once('message', () => void end(ways));
});
process.once('disconnect', () => process.exit());
