/** An event as projections see it, whether it comes from the service's own log or from another service. */
export interface Incoming {
  readonly tenant: string;
  readonly stream: string;
  readonly type: string;
  readonly schema: number;
  /** The stream's version after the event. */
  readonly version: number;
  /** When it was committed, RFC 3339 UTC. */
  readonly at: string;
  readonly position: number;
  readonly data: unknown;
}

/** Tells events of these types, with the data that their owner declares, from all others. */
export function eventGuard<Event extends Pick<Incoming, 'type' | 'data'>>(...types: readonly Event['type'][]) {
  const known: ReadonlySet<string> = new Set(types);
  return <Given extends Pick<Incoming, 'type' | 'data'>>(event: Given): event is Given & Event => known.has(event.type);
}

/** The events of one commit. `previous` is the position that a reader must have reached to miss nothing. */
export interface IncomingCommit {
  readonly previous: number;
  readonly position: number;
  /** The id of the commit, where it is known. */
  readonly commitId?: string | undefined;
  /** The trace that the commit was made in. */
  readonly traceparent?: string | undefined;
  readonly events: readonly Incoming[];
}

interface Versioned {
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  readonly data: unknown;
}

interface Placed {
  readonly position: number;
  readonly tenant: string;
  readonly at: string;
}

const incoming = ({ tenant, at, position }: Placed, stream: string, event: Versioned): Incoming => {
  const { version, type, schema, data } = event;
  return { tenant, stream, type, schema, version, at, position, data };
};

type OwnCommit = Placed & {
  readonly commitId?: string;
  readonly meta?: { readonly traceparent?: string };
  readonly events: readonly (Versioned & { readonly stream: string })[];
};

/** A commit of the service's own log; positions are contiguous there. Its events are made when they are asked for. */
export const incomingFromCommit = (commit: OwnCommit): IncomingCommit => new FromCommit(commit);

/** Many commits wait for their turn: events that nobody looks at yet would only keep the garbage collector busy. */
class FromCommit implements IncomingCommit {
  readonly previous: number;
  readonly position: number;
  readonly commitId: string | undefined;
  readonly #commit: OwnCommit;

  constructor(commit: OwnCommit) {
    this.previous = commit.position - 1;
    this.position = commit.position;
    this.commitId = commit.commitId;
    this.#commit = commit;
  }

  get traceparent(): string | undefined {
    return this.#commit.meta?.traceparent;
  }

  get events(): readonly Incoming[] {
    const commit = this.#commit;
    return commit.events.map((event) => incoming(commit, event.stream, event));
  }
}

/** A message of the channel; its `previous` chains it to the one before. */
export const incomingFromMessage = (
  message: Placed & {
    readonly previous: number;
    readonly commitId?: string;
    readonly traceparent?: string;
    readonly facts: readonly (Versioned & { readonly subject: string })[];
  },
): IncomingCommit => ({
  previous: message.previous,
  position: message.position,
  commitId: message.commitId,
  traceparent: message.traceparent,
  events: message.facts.map((fact) => incoming(message, fact.subject, fact)),
});
