import type { SplitEngines } from '@lyceum/testkit';
import { compare, settle } from './inspection.ts';
import { MixedSystem, type Part, type ReleaseName, parts } from './mixed-system.ts';
import type { Report } from './report.ts';
import { SteadyReader, untilAnswered } from './steady-reader.ts';
import { Traffic } from './traffic.ts';

/** Services that need every other one: those that only the present release has run beside them. */
const knowingAll: readonly Part[] = ['gateway', 'auth-http'];

/** The only process that may write into a directory: the other one ends before it begins, and it is away for that long. */
const alone: readonly Part[] = ['media'];

/** The process that is meant by the name of a service; undefined when there is none of that name. */
export const partOf = (service: string): Part | undefined =>
  parts.find((part) => part === service || part === `${service}-http`);

/**
 * Each of these services alone is released, rolled back and released again among neighbours of the other release: a new one
 * among old ones, then an old one among new ones. People go on meanwhile; after each step nothing may be lost, skipped,
 * parked or behind. `running` hears of the system that is there now.
 */
export async function oneByOne(
  chosen: readonly Part[],
  { engines, build }: { readonly engines: SplitEngines; readonly build: string },
  report: Report,
  running: (system: MixedSystem | undefined) => Promise<void>,
): Promise<void> {
  for (const neighbours of ['old', 'new'] as const) {
    const system = await MixedSystem.prepare(engines, build, { oneByOne: true });
    await running(system);
    report.stage(`${neighbours} alone`);
    await system.join(neighbours);
    const there = parts.filter((part) => system.has(neighbours, part));
    await untilAnswered(system.place.baseUrl, there);
    const traffic = await Traffic.begin(system, report);
    for (const part of chosen) await new OneService(system, traffic, report, { part, neighbours }).inTurn();
    report.say(`${traffic.courses.size} courses, ${traffic.guests.length} guests`);
    for (const code of await system.leave(neighbours))
      if (code !== 0) report.fault(`a process of ${neighbours} ended with ${code}`);
    await running(undefined);
    await system.stop();
  }
}

/** One service among neighbours of the other release. */
class OneService {
  readonly #system: MixedSystem;
  readonly #traffic: Traffic;
  readonly #report: Report;
  readonly #part: Part;
  readonly #neighbours: ReleaseName;
  readonly #other: ReleaseName;

  constructor(
    system: MixedSystem,
    traffic: Traffic,
    report: Report,
    { part, neighbours }: { readonly part: Part; readonly neighbours: ReleaseName },
  ) {
    this.#system = system;
    this.#traffic = traffic;
    this.#report = report;
    this.#part = part;
    this.#neighbours = neighbours;
    this.#other = neighbours === 'old' ? 'new' : 'old';
  }

  /** Released, rolled back, released again, and back at the end, so that the next one finds neighbours of one release. */
  async inTurn(): Promise<void> {
    const [part, neighbours, other] = [this.#part, this.#neighbours, this.#other];
    if (!this.#system.has('old', part)) return this.#report.say(`${part}: the release of before has none`);
    const missing = knowingAll.includes(part) ? parts.filter((each) => !this.#system.has(neighbours, each)) : [];
    for (const each of missing) await this.#system.begin(other, each);
    await this.#stage(`${part} of ${other} released among ${neighbours}`, other);
    await this.#stage(`${part} rolled back to ${neighbours}`, neighbours);
    await this.#stage(`${part} of ${other} released once more`, other);
    await this.#stage(`${part} of ${neighbours} for good`, neighbours);
    for (const each of missing) await this.#system.end(other, each);
  }

  /** The service becomes one of a release while people go on; then a round of everything, rest, and a look at what is there. */
  async #stage(name: string, to: ReleaseName): Promise<void> {
    const [system, traffic, report] = [this.#system, this.#traffic, this.#report];
    report.stage(name);
    const borne = report.counts.size;
    const end = new AbortController();
    const writing = traffic.writeUntil(end.signal);
    const there = parts.filter((part) => system.has(this.#neighbours, part));
    const reader = new SteadyReader(system.place.baseUrl, there, report);
    await this.#replace(to, reader);
    await traffic.round(name);
    end.abort();
    await writing;
    report.say(`  ${await reader.stop()} answers to who reads`);
    if (!alone.includes(this.#part))
      for (const what of [...report.counts.keys()].slice(borne))
        if (/ answered 5\d\d /.test(what)) report.fault(`${what}, though a process was there all the time`);
    await settle(system, report);
    await compare(system, traffic, report);
  }

  async #replace(to: ReleaseName, reader: SteadyReader): Promise<void> {
    const from = to === 'old' ? 'new' : 'old';
    const [system, part] = [this.#system, this.#part];
    const begin = () => system.begin(to, part);
    const end = async () => {
      const code = await system.end(from, part);
      if (code !== 0) this.#report.fault(`${part} of ${from} ended with ${code}`);
    };
    if (alone.includes(part)) return reader.without(part, () => end().then(begin));
    await begin();
    await end();
  }
}
