import type { Channel, Message } from '@lyceum/channel';

/** An integration event of another service. */
export interface PublishedFact {
  readonly type: string;
  readonly data: unknown;
  /** By default the first school. */
  readonly school?: string;
  /** When it was published, RFC 3339 UTC; at the beginning of 2026 when left out. */
  readonly at?: string;
}

const beginning = '2026-01-01T00:00:00.000Z';

/** What the services that are not under test publish: one lane for each. */
export class PublishedFacts {
  readonly #channel: Channel;
  readonly #messages = new Map<string, Message[]>();

  constructor(channel: Channel, before: Readonly<Record<string, readonly Message[]>>) {
    this.#channel = channel;
    for (const [source, messages] of Object.entries(before)) this.#messages.set(source, [...messages]);
  }

  /** Lets the history of a service be read. */
  offer(source: string): void {
    this.#channel.offer(source, 1, async (_lane, after) => this.#of(source).filter(({ position }) => position > after));
  }

  /** Publishes one more. */
  async publish(
    source: string,
    { type, data, school: tenant = 'school_1', at = beginning }: PublishedFact,
  ): Promise<void> {
    const messages = this.#of(source);
    const previous = messages.at(-1)?.position ?? 0;
    const position = previous + 1;
    const fact = { id: `fact_${source}_${position}`, type, schema: 1, subject: 'stream', version: position, data };
    const message: Message = { source, lane: 0, position, previous, tenant, at, facts: [fact] };
    messages.push(message);
    await this.#channel.publish([message]);
  }

  #of(source: string): Message[] {
    const known = this.#messages.get(source) ?? [];
    this.#messages.set(source, known);
    return known;
  }
}
