import { type EventLog, mongodbEventLog } from '@lyceum/eventlog';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MixedSystem, ReleaseName } from '../mixed-system.ts';
import { type SignHung, novelSign } from './novel-sign.ts';
import { lag, until } from '../patience.ts';
import type { Report } from '../report.ts';
import { type ClosedSchool, type Place, SignQuestions } from './sign-questions.ts';

/** Milliseconds in which an old release that stands is seen not to go on; longer than it leaves its leases to others. */
const standing = 8_000;

/** Milliseconds in which a process that stands gives its leases back: it does so once a minute, and this may be a busy machine. */
const givingBack = 60_000 + lag;

/**
 * Events that only the new release knows, written into the school service's log as its processes would, and what has to
 * follow: the old release stands before them and gives its leases back; nothing of them is skipped or lost.
 */
export class Novelties {
  readonly #system: MixedSystem;
  readonly #report: Report;
  readonly #log: EventLog;
  readonly #ask: SignQuestions;
  /** Where signs hang that can be told. */
  readonly #hosts: string[] = [];
  #signs = 0;
  /** Where the old release stood last. */
  #stood: Place | undefined;

  private constructor(system: MixedSystem, report: Report, log: EventLog) {
    this.#system = system;
    this.#report = report;
    this.#log = log;
    this.#ask = new SignQuestions(system);
  }

  static async open(system: MixedSystem, report: Report): Promise<Novelties> {
    const { url, prefix } = system.mongodb;
    return new Novelties(system, report, await mongodbEventLog({ url, database: `${prefix}school` }));
  }

  /** North Quay hangs up a sign: whoever has the lease, it is told in the end. */
  async hang(): Promise<Place> {
    const host = this.#nextHost();
    this.#hosts.push(host);
    return this.#write(await this.#ask.northQuay(), { host, illegible: false });
  }

  /** Every sign is told by each release that runs. */
  async arrived(): Promise<void> {
    for (const release of this.#system.running) {
      await this.#system.answerFrom(release);
      for (const host of this.#hosts) {
        const { held } = await until(
          () => this.#ask.answersAt(host),
          (answers) => answers,
        );
        if (!held) this.#report.fault(`${release} does not know ${host}, which an event of the new one told`);
      }
    }
    await this.#system.answerFrom(...this.#system.running);
    this.#report.say(`  ${this.#hosts.length} events that only the new release knows are told by all that run`);
  }

  /** The old release runs alone when such an event is written: it stands, whatever else happens at the school. */
  async standBefore(): Promise<void> {
    const returned = await this.#ask.returned();
    const at = (this.#stood = await this.hang());
    const alarm = await until(
      () => this.#ask.alarm(),
      (value) => value > 0,
    );
    if (!alarm.held) this.#report.fault('the old release raises no alarm before an event that it does not know');
    const given = await until(
      () => this.#ask.returned(),
      (now) => now > returned,
      givingBack,
    );
    if (!given.held) this.#report.fault('the old release keeps its leases before an event that it does not know');
    await this.#write(await this.#ask.northQuay(), undefined);
    await sleep(standing);
    for (const told of await this.#ask.passed(at))
      this.#report.fault(`the old release passed an unknown event: ${told}`);
    if (await this.#ask.answersAt(this.#hosts.at(-1)!))
      this.#report.fault('the old release told of an event that it does not know');
    this.#report.say('  the old release stood before an unknown event, with its alarm, and gave its leases back');
  }

  /**
   * A process of the old release that starts over such an event is not ready, or raises its alarm, for as long as the event
   * is before anything that it follows. Once the new release has taken all of that beyond the event, in the documents that
   * both share, there is nothing left to stand before.
   */
  async refusesToServe(): Promise<void> {
    const school = await this.#system.endOldSchool({ again: true });
    await sleep(standing);
    if ((await school.status('/readyz')) === 200) {
      const { held } = await until(
        async () => (await this.#ask.alarm()) > 0 || !(await this.#ask.isAhead(this.#stood!)),
        (isWell) => isWell,
      );
      if (!held) this.#report.fault('a process of the old release is ready before an event that it does not know');
    }
    await this.#system.endOldSchool();
  }

  /** An event of a school that the new release cannot tell of withholds that school, and nobody else. */
  async withhold(closedAt: readonly ReleaseName[]): Promise<ClosedSchool> {
    const school = await this.#ask.provisioned();
    await this.#write(school.id, { host: this.#nextHost(), illegible: true });
    const told = await until(
      () => this.#ask.withheldRows(),
      (rows) => rows.some((row) => row.school === school.id),
    );
    if (!told.held) this.#report.fault('the new release withholds nothing of a school that it cannot tell of');
    for (const release of closedAt) await this.#closed(school, release);
    await this.#system.answerFrom(...this.#system.running);
    this.#report.say(`  FactsWithheld: ${closedAt.join(' and ')} let nobody of the school in`);
    return school;
  }

  /** The new release is replaced by a better one, which tells what was withheld. */
  async resume(school: ClosedSchool): Promise<void> {
    await this.#system.restartReading();
    this.#hosts.push(`sign-${this.#signs}.localhost`);
    for (const release of this.#system.running) {
      await this.#system.answerFrom(release);
      const { held, outcome } = await until(
        async () => ({ rows: await this.#ask.withheldRows(), status: (await this.#ask.token(school)).status }),
        ({ rows, status }) => rows.length === 0 && status === 400,
        60_000,
      );
      if (!held)
        this.#report.fault(`${release} still withholds a school that can be told of: ${JSON.stringify(outcome)}`);
    }
    await this.#system.answerFrom(...this.#system.running);
    this.#report.say('  FactsResumed: all that run let the people of the school in');
  }

  /** How many events of a type the log of a service has. */
  async counted(service: string, type: string): Promise<number> {
    const { url, prefix } = this.#system.mongodb;
    const log = service === 'school' ? this.#log : await mongodbEventLog({ url, database: prefix + service });
    let found = 0;
    for (let lane = 0; lane < log.lanes; lane += 1)
      for (let after = 0; ;) {
        const commits = await log.readLane(lane, after, 256);
        if (commits.length === 0) break;
        found += commits.flatMap(({ events }) => events).filter((event) => event.type === type).length;
        after = commits.at(-1)!.position;
      }
    if (log !== this.#log) await log.close();
    return found;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #nextHost(): string {
    this.#signs += 1;
    return `sign-${this.#signs}.localhost`;
  }

  /** Writes a sign as a process of the new release would; without one, an event that every release knows. */
  async #write(school: string, sign: SignHung | undefined): Promise<Place> {
    const known = { stream: school, type: 'SchoolSignUpSet', schema: 1, data: { sign_up: 'open' } };
    const event = sign ? { stream: novelSign.stream(sign.host), type: novelSign.type, schema: 1, data: sign } : known;
    const { commit } = await this.#log.append({
      tenant: school,
      expectations: [],
      events: [event],
      commitId: randomUUID(),
      fingerprint: '',
      at: new Date().toISOString(),
      meta: { actor: 'operator' },
    });
    return commit;
  }

  /** Nobody of a school that is withheld is let in. */
  async #closed(school: ClosedSchool, release: ReleaseName): Promise<void> {
    await this.#system.answerFrom(release);
    const { held, outcome } = await until(
      () => this.#ask.token(school),
      ({ status }) => status === 503,
    );
    if (!held) this.#report.fault(`${release} lets people of a school in that is withheld: ${outcome?.status}`);
  }
}
