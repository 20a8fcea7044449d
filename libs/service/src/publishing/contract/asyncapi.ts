import { type RecordHeader, eventTopic, noFact, recordHeaders, topicConfiguration } from '@lyceum/channel';
import { type IntegrationEvent, type JsonSchema, meaningOf, publishedSchema } from '@lyceum/contracts';

/** The integration events of a service, by type. */
type Declared = Readonly<Record<string, IntegrationEvent>>;

/** Where components stand, by their names. */
const ref = (...names: readonly string[]) => ({ $ref: `#/components/${names.join('/')}` });

/**
 * The topics of all services as an AsyncAPI document: a channel for each topic, a message for each type of integration
 * event, its schema under the name that `ce_dataschema` has for it. The services send; readers are everybody else.
 *
 * @see AsyncAPI 3.0.0 https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
export const asyncApiOf = (facts: Readonly<Record<string, Declared>>): JsonSchema => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Integration events of Lyceum',
    version: '1.0.0',
    description: about,
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  defaultContentType: 'application/json',
  servers: {
    kafka: {
      host: 'kafka.example:9092',
      protocol: 'kafka',
      description: 'The brokers of the installation: KAFKA_BROKERS of its services',
    },
  },
  channels: from(facts, (source, events) => [source, channelOf(source, events)]),
  operations: from(facts, (source) => [
    `publish-${source}`,
    {
      action: 'send',
      summary: `The ${source} service publishes what happened`,
      channel: { $ref: `#/channels/${source}` },
    },
  ]),
  components: {
    messages: {
      ...Object.assign({}, ...Object.entries(facts).map(([source, events]) => messagesOf(source, events))),
      [noFact]: {
        name: noFact,
        title: noFact,
        summary: 'No event: the lane has come to this position. Services send none today, readers take it as read',
        headers: ref('schemas', 'record-headers'),
        payload: { type: 'object' },
        bindings: { kafka: keyed },
      },
    },
    schemas: {
      'record-headers': headersSchema('always'),
      'event-headers': headersSchema('event'),
      ...Object.assign({}, ...Object.entries(facts).map(([source, events]) => schemasOf(source, events))),
    },
  },
});

const about = [
  'Each service publishes to one topic what others may know of what happened in it. The log of the service is the truth; the topic carries what is new, and the service itself gives all of its history over HTTP.',
  'A record is a CloudEvent in binary mode: attributes are headers, the value is the data of one event as JSON. The partition is the lane of the log, of which there are as many as its owner says (LANES, 16 unless set), so a school has all its records in one partition, in order. Records of one commit follow each other: ce_index counts them, ce_last marks the end.',
  'Records may come twice, and an urgent one early: ce_prev and ce_sequence tell. Fields that a reader does not know are to be ignored, types that it does not know too; a version that it does not know means to stop until the reader is changed.',
  'Names of topics begin with KAFKA_PREFIX of the installation, where that is set. No person is in any event: people are ids. How to read all this is in docs/writing-a-consumer.md.',
].join('\n\n');

const from = <Made>(
  facts: Readonly<Record<string, Declared>>,
  make: (source: string, events: Declared) => [string, Made],
) => Object.fromEntries(Object.entries(facts).map(([source, events]) => make(source, events)));

const channelOf = (source: string, events: Declared) => ({
  address: eventTopic(source),
  title: `What the ${source} service publishes`,
  messages: Object.fromEntries(
    [...Object.keys(events).map((type) => [type, `${source}.${type}`] as const), [noFact, noFact] as const].map(
      ([type, name]) => [type, ref('messages', name)],
    ),
  ),
  bindings: {
    kafka: {
      topicConfiguration: { ...topicConfiguration(), 'cleanup.policy': [topicConfiguration()['cleanup.policy']] },
      bindingVersion: '0.5.0',
    },
  },
});

/** The key of a record. */
const keyed = {
  key: { type: 'string', title: 'ce_partitionkey', description: 'The id of the school' },
  bindingVersion: '0.5.0',
};

const urnOf = (source: string, type: string, version: number): string => `urn:lyceum:fact:${source}:${type}:${version}`;

const messagesOf = (source: string, events: Declared) =>
  Object.fromEntries(
    Object.entries(events).map(([type, event]) => [
      `${source}.${type}`,
      {
        name: type,
        title: type,
        summary: meaningOf(event),
        headers: {
          type: 'object',
          allOf: [ref('schemas', 'event-headers')],
          properties: {
            ce_type: { const: type },
            ce_dataschema: { const: urnOf(source, type, event.version) },
          },
        },
        payload: ref('schemas', `${source}.${type}.${event.version}`),
        bindings: { kafka: keyed },
        ...(event.urgent && { 'x-may-come-early': true }),
      },
    ]),
  );

const schemasOf = (source: string, events: Declared) =>
  Object.fromEntries(
    Object.entries(events).map(([type, { version, data }]) => [
      `${source}.${type}.${version}`,
      { $id: urnOf(source, type, version), ...publishedSchema(data) },
    ]),
  );

/** Of every record, or of those that carry an event. */
function headersSchema(on: 'always' | 'event') {
  const all = Object.entries(recordHeaders).filter(([, header]) => on === 'event' || header.on !== 'event');
  const isThere = (header: RecordHeader) => header.on === 'always' || header.on === on;
  return {
    type: 'object',
    required: all.filter(([, header]) => isThere(header)).map(([name]) => name),
    properties: Object.fromEntries(
      all.map(([name, { about: description, pattern }]) => [
        name,
        { type: 'string', description, ...(pattern !== undefined && { pattern }) },
      ]),
    ),
  };
}
