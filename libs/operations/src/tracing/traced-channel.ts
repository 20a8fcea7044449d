import type { Channel, Message, Subscription } from '@lyceum/channel';
import {
  type Clock,
  type Span,
  type SpanAttributes,
  type SpanStart,
  type Tracer,
  inSpan,
  isSampled,
} from '@lyceum/kernel';

/** What carries the messages, for their spans. */
interface Carrier {
  /** `messaging.system`. */
  readonly system: 'kafka' | 'memory';
  readonly clock: Clock;
}

/** Milliseconds. An older message is history that is read again: its trace ended long ago. */
const oldest = 3_600_000;

/**
 * The same channel: publishing and handling are spans of the trace that a message was made in. Of several traces at once
 * it is a span of its own with links, where one of them is sampled.
 * @see https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
export function tracedChannel(channel: Channel, tracer: Tracer, { system, clock }: Carrier): Channel {
  const begin = (
    messages: readonly Message[],
    kind: 'consumer' | 'producer',
    more: SpanAttributes,
  ): Span | undefined => {
    const recent = messages.filter(({ at, arrived = at }) => !(clock.now() - Date.parse(arrived) > oldest));
    const origin = originOf(recent);
    if (!origin) return undefined;
    const { source, lane } = recent[0]!;
    const operation = kind === 'producer' ? 'publish' : 'process';
    return tracer.begin(`${operation} ${source}`, {
      kind,
      ...origin,
      attributes: {
        'messaging.system': system,
        'messaging.operation.name': operation,
        'messaging.operation.type': kind === 'producer' ? 'send' : 'process',
        'messaging.destination.name': source,
        'messaging.destination.partition.id': String(lane),
        'lyceum.school': schoolOf(recent),
        ...more,
      },
    });
  };
  const inOne = (span: Span | undefined, work: () => Promise<void>) => (span ? inSpan(span, work) : work());
  const traced = (subscription: Subscription): Subscription => {
    const { consumer } = subscription;
    const group = { 'messaging.consumer.group.name': consumer };
    return {
      ...subscription,
      handle: (message) => inOne(begin([message], 'consumer', group), () => subscription.handle(message)),
      ...(subscription.handleAll && {
        handleAll: (messages) =>
          inOne(begin(messages, 'consumer', { ...group, ...countOf(messages) }), () =>
            subscription.handleAll!(messages),
          ),
      }),
    };
  };
  return {
    offer: (...offer) => channel.offer(...offer),
    publish: (messages) => inOne(begin(messages, 'producer', countOf(messages)), () => channel.publish(messages)),
    subscribe: (subscription) => channel.subscribe(traced(subscription)),
    close: () => channel.close(),
  };
}

/** The parent of what is done with messages, or its links; undefined where nothing is to be told. */
function originOf(messages: readonly Message[]): Pick<SpanStart, 'parent' | 'links'> | undefined {
  const origins = [...new Set(messages.flatMap(({ traceparent }) => traceparent ?? []))];
  if (origins.length < 2) return origins[0] === undefined ? undefined : { parent: origins[0] };
  const links = origins.filter(isSampled);
  return links.length === 0 ? undefined : { parent: null, links };
}

const countOf = ({ length }: readonly Message[]): SpanAttributes =>
  length > 1 ? { 'messaging.batch.message_count': length } : {};

function schoolOf(messages: readonly Message[]): string | undefined {
  const [first, ...others] = messages;
  return others.every(({ tenant }) => tenant === first!.tenant) ? first!.tenant : undefined;
}
