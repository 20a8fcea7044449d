import type { Channel, Fact, History, Message } from '@lyceum/channel';
import { type FactSource, factSources, factsOf } from '@lyceum/contracts';
import { type EventTypes, UnknownEvent, isOneOf, upcast } from '@lyceum/kernel';

/** The integration events of a source as this release knows them; undefined for a source that it does not know. */
export type KnownEvents = (source: string) => EventTypes | undefined;

const declared: KnownEvents = (source) =>
  isOneOf(factSources, source) ? (factsOf(source as FactSource) as EventTypes) : undefined;

/** Called with an event of a newer version than this release knows: what follows it in its lane waits. */
export type OnUnknown = (source: string, position: number, error: UnknownEvent) => void;

/**
 * The same channel, whose followers get the data of each event in the version that this release knows: data of a release
 * before is lifted, and at a newer version they stand, retried until this process is upgraded. Types that this release does
 * not know come as they are: nobody here waits for them.
 */
export function withKnownVersions(channel: Channel, onUnknown: OnUnknown, known: KnownEvents = declared): Channel {
  const lift = (message: Message): Message => {
    try {
      return liftedMessage(message, known);
    } catch (error) {
      if (error instanceof UnknownEvent) onUnknown(message.source, message.position, error);
      throw error;
    }
  };
  return {
    offer: (...offer) => channel.offer(...offer),
    publish: (messages) => channel.publish(messages),
    subscribe(subscription) {
      const { handle, handleAll } = subscription;
      return channel.subscribe({
        ...subscription,
        handle: async (message) => handle.call(subscription, lift(message)),
        ...(handleAll && {
          async handleAll(messages) {
            const lifted: Message[] = [];
            let failure: unknown;
            for (const message of messages)
              try {
                lifted.push(lift(message));
              } catch (error) {
                failure = error;
                break;
              }
            if (lifted.length > 0) await handleAll.call(subscription, lifted);
            if (failure !== undefined) throw failure;
          },
        }),
      });
    },
    close: () => channel.close(),
  };
}

/** The same history, in the versions that this release knows. Throws `UnknownEvent` where there is a newer one. */
export const historyInKnownVersions = (history: History, known: KnownEvents = declared): History => ({
  ...history,
  backfill: async (...range) => (await history.backfill(...range)).map((message) => liftedMessage(message, known)),
});

function liftedMessage(message: Message, known: KnownEvents): Message {
  const events = known(message.source);
  if (!events || message.facts.every((fact) => isPresent(events, fact))) return message;
  return {
    ...message,
    facts: message.facts.map((fact) => (isPresent(events, fact) ? fact : liftedFact(events, fact))),
  };
}

const isPresent = (events: EventTypes, { type, schema }: Fact): boolean =>
  !Object.hasOwn(events, type) || events[type]!.version === schema;

const liftedFact = (events: EventTypes, fact: Fact): Fact => ({
  ...fact,
  schema: events[fact.type]!.version,
  data: upcast(events, fact).data,
});
