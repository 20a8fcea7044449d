import type { Fact } from '@lyceum/channel';
import { type FactOf, type FactSource, facts } from '@lyceum/contracts';
import type { RecordedEvent } from '@lyceum/kernel';

/** A fact of any of the sources. */
type AnyFact<Source extends FactSource = FactSource> = Source extends FactSource ? FactOf<Source> : never;

/**
 * Turns a private event into the fact that other services see, or undefined when it stays private. Pure: it is asked
 * again whenever history is read. `at` is the time of its commit (RFC 3339). Its data must match the fact's schema in `@lyceum/contracts`.
 */
export type ToFact<Source extends FactSource = FactSource> = (
  event: RecordedEvent,
  at: string,
) => AnyFact<Source> | undefined;

/** An event as other services receive it; undefined when they do not. */
export type Envelope = (event: RecordedEvent, at: string) => Fact | undefined;

/**
 * The declared facts of a service's events, with the versions of their schemas. It throws when the contract does not know
 * one. An event that several ask about while it is in memory is made into a fact once.
 */
export function envelopeOf(source: FactSource, toFact: ToFact): Envelope {
  const made = new WeakMap<RecordedEvent, { readonly fact: Fact | undefined }>();
  return (event, at) => {
    const known = made.get(event);
    if (known) return known.fact;
    const fact = enveloped(source, event, toFact(event, at));
    made.set(event, { fact });
    return fact;
  };
}

function enveloped(source: FactSource, event: RecordedEvent, fact: AnyFact | undefined): Fact | undefined {
  if (!fact) return undefined;
  const declared: Readonly<Record<string, { version: number; data: { parse(value: unknown): unknown } }>> =
    facts[source];
  const contract = declared[fact.type];
  if (!contract) throw new Error(`${source} does not publish ${fact.type}`);
  const { id, stream, version } = event;
  return {
    id,
    type: fact.type,
    schema: contract.version,
    subject: stream,
    version,
    data: contract.data.parse(fact.data),
  };
}
