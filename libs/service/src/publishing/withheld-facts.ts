import type { FactSource } from '@lyceum/contracts';
import type { Commit, EventLog } from '@lyceum/eventlog';
import { UnknownEvent, isoTime, together, uuidv5 } from '@lyceum/kernel';
import type { Envelope } from './envelope.ts';
import type { ModulePorts } from '../module.ts';
import type { WithheldSchool } from '../running/watch.ts';
import { republishedBy, resumedFactOf, republishedStream } from './republishing.ts';
import { WithheldSchools } from './withheld-schools.ts';

type WithheldPorts = Pick<ModulePorts, 'documents' | 'log' | 'logger'> &
  Partial<Pick<ModulePorts, 'clock' | 'leases' | 'watch'>>;

const stride = 256;

/** Stands in a commit for events that are not published. */
const withheldType = 'lyceum.facts-withheld';

/** An event that no fact can be made of. */
interface Failure {
  readonly event: Commit['events'][number];
  readonly error: unknown;
}

/** What of a withheld school can be published, up to where. */
interface Publishable {
  readonly positions: readonly number[];
  readonly head: number;
}

/** Commits published again at once. */
const piece = 50;

/** Other processes withhold and publish, too: milliseconds between looks at what they have noted. */
const lookEvery = 5_000;

/**
 * What of a log can be published to other services. A commit whose data no fact can be made of withholds its school: nothing of
 * it is published from there on, in order, while all others go on. It says so itself, by the fact `FactsWithheld` in the place
 * of the commit, so that nobody lets people of the school in meanwhile. A release that can publish it does so at its start.
 *
 * An event that this release does not know is another matter: a newer release has written it, and will publish it. Then
 * reading throws `UnknownEvent`, and the lane stands.
 */
export class WithheldFacts {
  readonly #ports: WithheldPorts;
  readonly #source: FactSource;
  readonly #inner: Envelope;
  readonly #kept: WithheldSchools;
  readonly #schools = new Map<string, WithheldSchool>();
  /** How often this process has changed them. */
  #changes = 0;
  #loaded: Promise<void> | undefined;
  #lookedAt = 0;

  constructor(ports: WithheldPorts, source: FactSource, envelope: Envelope) {
    this.#ports = ports;
    this.#source = source;
    this.#inner = envelope;
    this.#kept = new WithheldSchools(ports.documents, source, () => ports.log.epoch);
  }

  /** The fact of an event that `publishable` gave. */
  readonly envelope: Envelope = (event, at) =>
    event.type === withheldType
      ? { id: event.id, type: 'FactsWithheld', schema: 1, subject: event.stream, version: 0, data: {} }
      : (resumedFactOf(event) ?? this.#inner(event, at));

  /** The log as it can be published: the same positions, without what is withheld. */
  get reader(): Pick<EventLog, 'head' | 'readLane' | 'wake'> {
    const { log } = this.#ports;
    return {
      head: (lane) => log.head(lane),
      wake: (listener) => log.wake(listener),
      readLane: async (lane, after, limit) => this.publishable(await log.readLane(lane, after, limit)),
    };
  }

  /** The commits, each with the events that can be published. Throws `UnknownEvent`, and what reading and keeping throw. */
  async publishable(commits: readonly Commit[]): Promise<readonly Commit[]> {
    await this.#known();
    const found: Commit[] = [];
    for (const commit of commits) found.push(await this.#publishableOf(commit));
    return found;
  }

  async #publishableOf(commit: Commit): Promise<Commit> {
    const { position } = commit;
    const known = this.#schools.get(commit.tenant);
    if (known && known.position < position) return { ...commit, events: [] };
    if (known?.position === position) return standIn(commit);
    const events = commit.events.some(({ stream }) => stream === republishedStream)
      ? await republishedBy(this.#ports.log, commit)
      : commit.events;
    const failed = this.#failure({ ...commit, events });
    if (!failed) return { ...commit, events };
    await this.#withhold(commit, failed);
    return standIn(commit);
  }

  /** What of a commit cannot be published. Throws `UnknownEvent`. */
  #failure({ at, events }: Commit): Failure | undefined {
    for (const event of events)
      try {
        this.envelope(event, at);
      } catch (error) {
        if (error instanceof UnknownEvent) throw error;
        return { event, error };
      }
    return undefined;
  }

  async #withhold({ tenant: school, lane, position }: Commit, { event, error: err }: Failure): Promise<void> {
    const { clock, logger } = this.#ports;
    const error = `${event.type} v${event.schema} of stream ${event.stream} (${nameOnly(err)})`;
    const since = isoTime(clock?.now() ?? Date.now());
    const withheld: WithheldSchool = { source: this.#source, school, lane, position, since, error };
    await this.#kept.write(school, withheld);
    this.#changes += 1;
    this.#schools.set(school, withheld);
    logger.error(
      { err: nameOnly(err), source: this.#source, school, lane, position },
      'facts of a school are withheld',
    );
    this.#alarm();
  }

  /** Publishes what was withheld, in one lane when it is named, and can be published by this release. */
  async republishOwed(lane?: number): Promise<void> {
    await this.#renew(undefined);
    for (const withheld of this.#schools.values()) {
      if (lane !== undefined && withheld.lane !== lane) continue;
      const publishable = await this.#publishableNow(withheld);
      if (!publishable) continue;
      await this.#republish(withheld, publishable);
      this.#changes += 1;
      this.#schools.delete(withheld.school);
      this.#alarm();
    }
  }

  /** Knows what is withheld. */
  async #known(): Promise<void> {
    const isOld = this.#ports.leases !== undefined && Date.now() - this.#lookedAt > lookEvery;
    if (this.#loaded && !isOld) return this.#loaded;
    this.#lookedAt = Date.now();
    this.#loaded = this.#load().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  /** Knows what is withheld by now: another process may have published some of it. */
  readonly #renew = together<undefined, void>(async (asked) => {
    this.#loaded = undefined;
    await this.#known();
    return asked.map(() => undefined);
  });

  async #load(): Promise<void> {
    for (let before = -1; before !== this.#changes;) {
      before = this.#changes;
      const found = await this.#kept.all();
      // What was changed here meanwhile may not be in it.
      if (before !== this.#changes) continue;
      this.#schools.clear();
      for (const withheld of found) this.#schools.set(withheld.school, withheld);
    }
    this.#alarm();
  }

  /** The positions of a withheld school up to the head, when all of them can be published by now. */
  async #publishableNow({ school, lane, position }: WithheldSchool): Promise<Publishable | undefined> {
    const { log } = this.#ports;
    const head = await log.head(lane);
    const positions: number[] = [];
    for (let after = position - 1; after < head;) {
      const commits = await log.readLane(lane, after, Math.min(stride, head - after));
      for (const commit of commits.filter((each) => each.tenant === school)) {
        if (!this.#isPublishable(commit)) return undefined;
        positions.push(commit.position);
      }
      after = commits.at(-1)?.position ?? head;
    }
    return { positions, head };
  }

  #isPublishable(commit: Commit): boolean {
    try {
      return this.#failure(commit) === undefined;
    } catch {
      return false;
    }
  }

  /** Publishes again, at the end of the lane, what was withheld: every reader has passed its old position. */
  async #republish({ school, position }: WithheldSchool, { positions, head }: Publishable): Promise<void> {
    const { log, clock, logger } = this.#ports;
    const at = isoTime(clock?.now() ?? Date.now());
    const write = (type: string, data: object) =>
      log.append({
        tenant: school,
        expectations: [],
        events: [{ stream: republishedStream, type, schema: 1, data }],
        commitId: uuidv5('facts-retold', this.#source, school, log.epoch ?? '', position, JSON.stringify(data)),
        fingerprint: '',
        at,
        meta: { actor: 'system' },
      });
    for (let from = 0; from < positions.length; from += piece)
      await write('FactsRetold', { positions: positions.slice(from, from + piece) });
    await write('FactsRetoldSince', { after: head });
    await this.#kept.write(school, null);
    logger.info({ source: this.#source, school }, 'facts of a school that were withheld are published');
  }

  #alarm(): void {
    this.#ports.watch?.withholding(this.#source, [...this.#schools.values()]);
  }
}

/** An error without its message, which may quote data. */
const nameOnly = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

const standIn = (commit: Commit): Commit => ({
  ...commit,
  events: [
    {
      id: `${commit.commitId}.withheld`,
      stream: republishedStream,
      version: 0,
      type: withheldType,
      schema: 1,
      data: {},
    },
  ],
});
