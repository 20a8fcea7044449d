/** A header of a record, for those who read topics by programs of their own. */
export interface RecordHeader {
  readonly about: string;
  /** `always`: every record has it; `event`: every record that carries an event; `known`: where the sender knows it. */
  readonly on: 'always' | 'event' | 'known';
  /** A regular expression that every value matches. */
  readonly pattern?: string;
}

/** The type of a record that carries no event, only the position of a commit. */
export const noFact = 'lyceum.none';

/** The topic of what a service publishes, without the prefix of the installation. */
export const eventTopic = (source: string): string => `${source}.events`;

const position = '^[0-9]{16}$';

/**
 * All headers that a record may have. Names that begin with `ce_` are attributes of CloudEvents 1.0, values are UTF-8 text.
 *
 * @see CloudEvents Kafka Protocol Binding 1.0.2 §3.2 https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 */
export const recordHeaders: Readonly<Record<string, RecordHeader>> = {
  'content-type': { on: 'always', about: 'Of the value', pattern: '^application/json$' },
  ce_specversion: { on: 'always', about: 'The version of CloudEvents', pattern: '^1\\.0$' },
  ce_id: { on: 'always', about: 'The id of the event: the same each time that the event is sent' },
  ce_source: {
    on: 'always',
    about: 'The service and the lane of its log; the number of the lane is that of the partition',
    pattern: '^/services/[a-z-]+/lanes/[0-9]+$',
  },
  ce_type: { on: 'always', about: `The type of the event; ${noFact} = the record carries none, only a position` },
  ce_dataschema: {
    on: 'event',
    about: 'Names service, type and version: the schema of the value',
    pattern: '^urn:lyceum:fact:[a-z-]+:[A-Za-z]+:[0-9]+$',
  },
  ce_subject: { on: 'event', about: 'The stream in the log of the service that the event belongs to' },
  ce_streamversion: { on: 'event', about: 'How many events the stream has with this one', pattern: '^[0-9]+$' },
  ce_time: { on: 'known', about: 'When it happened (RFC 3339, UTC)' },
  ce_arrived: {
    on: 'known',
    about:
      'When the commit came into this log (RFC 3339, UTC), where that was later than ce_time: a school that moved here',
  },
  ce_partitionkey: { on: 'always', about: 'The id of the school, which is the key of the record, too' },
  ce_tenant: { on: 'always', about: 'The id of the school' },
  ce_sequence: { on: 'always', about: 'The position of the commit in its lane', pattern: position },
  ce_prev: {
    on: 'always',
    about: 'The position of the commit before it in the lane that published events: records of a lane form a chain',
    pattern: position,
  },
  ce_index: { on: 'always', about: 'Which record of its commit this is, from 0', pattern: '^[0-9]+$' },
  ce_last: { on: 'always', about: 'Whether it is the last record of its commit', pattern: '^(true|false)$' },
  ce_commit: { on: 'known', about: 'The id of the commit' },
  ce_prevcommit: {
    on: 'known',
    about: 'The id of the commit at ce_prev: another one there than was read means that the log was restored',
  },
  ce_logepoch: {
    on: 'known',
    about: 'Names the history that positions count in: after a restore of the log there is another one',
  },
  traceparent: { on: 'known', about: 'The W3C trace context of the request that made the commit' },
};
