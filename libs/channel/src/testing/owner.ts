import type { Checkpoint } from '@lyceum/kernel';
import { type SourceCommit, backfillOf, messagesOf } from '../facts.ts';
import type { Backfill, Channel, Fact, Heads, Message, Subscription } from '../port.ts';

/** The service whose facts the suite follows: a log in memory, and its relay to a channel. */
export class Owner {
  readonly source = 'owner';
  readonly lanes: number;
  readonly #commits: SourceCommit[][];
  readonly #sent: { position: number; previous: number | Checkpoint }[];
  #reads = 0;
  #history = 1;
  readonly #epoch: string | undefined;

  constructor(lanes = 2, epoch?: string) {
    this.lanes = lanes;
    this.#epoch = epoch;
    this.#commits = Array.from({ length: lanes }, () => []);
    this.#sent = Array.from({ length: lanes }, () => ({ position: 0, previous: 0 }));
  }

  /** An older copy of its log takes its place, without another epoch: it ends at this position, and grows by other commits. */
  restore(lane: number, position: number): void {
    this.#history += 1;
    this.#commits[lane]!.length = position;
    const sent = this.#sent[lane]!;
    this.#sent[lane] = { ...sent, position: Math.min(sent.position, position) };
  }

  /** How often its history was read. */
  get reads(): number {
    return this.#reads;
  }

  /** Commits an event for each text; those that begin with `-` are private and do not cross. */
  commit(lane: number, ...texts: readonly string[]): void {
    const position = this.#commits[lane]!.length + 1;
    const events = texts.map((text, index) => ({
      id: `${lane}-${position}-${index}`,
      type: 'Said',
      schema: 1,
      stream: 'talk-1',
      version: position,
      data: { text },
    }));
    const prev = this.#commits[lane]!.at(-1)?.commitId ?? '';
    const ids = { commitId: `${this.#history}-${lane}-${position}`, prev };
    this.#commits[lane]!.push({ lane, position, ...ids, tenant: 'school', at: '2026-01-05T08:00:00.000Z', events });
  }

  readonly toFact = ({ stream, ...event }: SourceCommit['events'][number]): Fact | undefined =>
    (event.data as { text: string }).text.startsWith('-') ? undefined : { ...event, subject: stream };

  readonly backfill: Backfill = async (...args) => {
    this.#reads += 1;
    return this.history(...args);
  };

  readonly history: Backfill = backfillOf(
    this.source,
    {
      head: async (lane) => this.#commits[lane]!.length,
      readLane: async (lane, after, limit) => this.#commits[lane]!.slice(after, after + limit),
    },
    (event) => this.toFact(event),
  );

  readonly heads = async (): Promise<Heads> => ({
    heads: this.#commits.map((commits) => commits.length),
    ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }),
  });

  /** What was committed since the last time, as messages for the channel. */
  unsent(lane: number): readonly Message[] {
    const { position, previous } = this.#sent[lane]!;
    const commits = this.#commits[lane]!.slice(position);
    const next = messagesOf(this.source, commits, previous, this.toFact);
    this.#sent[lane] = { position: position + commits.length, previous: next.previous };
    const epoch = this.#epoch;
    return epoch === undefined ? next.messages : next.messages.map((message) => ({ ...message, epoch }));
  }

  offerTo(channel: Channel): void {
    channel.offer(this.source, this.lanes, this.backfill, this.heads);
  }

  async publishTo(channel: Channel): Promise<void> {
    for (let lane = 0; lane < this.lanes; lane += 1) await channel.publish(this.unsent(lane));
  }

  /** Every crossing text of a lane after a position, in order: what a consumer must have seen. */
  texts(lane: number, after = 0): readonly string[] {
    const events = this.#commits[lane]!.slice(after).flatMap((commit) => commit.events);
    return events.filter((event) => this.toFact(event)).map((event) => (event.data as { text: string }).text);
  }
}

/** A consumer that writes down what it handles, and fails when told. */
export class Listener implements Subscription {
  readonly consumer: string;
  readonly source = 'owner';
  readonly heard: string[][] = [[], []];
  readonly messages: Message[] = [];
  readonly #watermarks: readonly number[];
  /** The epochs of the owner's log that it was asked for its place in, lane by lane. */
  readonly epochs: (string | undefined)[][] = [[], []];
  /** What it kept, for a start without the owner. */
  kept?: NonNullable<Subscription['kept']>;
  /** Forgets its watermark. */
  diverged?: (lane: number) => void;
  /** Throws to make the handling of a message fail. */
  before: (message: Message) => void | Promise<void> = () => {};

  constructor(watermarks: readonly number[] = [0, 0], consumer = 'listener') {
    this.#watermarks = watermarks;
    this.consumer = consumer;
  }

  async from(lane: number, epoch?: string, _head?: number): Promise<number> {
    this.epochs[lane]!.push(epoch);
    return this.epochs[lane]!.length > 1 ? 0 : this.#watermarks[lane]!;
  }

  async handle(message: Message): Promise<void> {
    await this.before(message);
    this.messages.push(message);
    this.heard[message.lane]!.push(...message.facts.map((fact) => (fact.data as { text: string }).text));
  }
}
