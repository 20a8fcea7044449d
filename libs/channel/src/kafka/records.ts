import type { IHeaders, KafkaMessage, KafkaRecord } from './kafka-driver.ts';
import type { Fact, Message } from '../port.ts';
import { noFact } from './record-headers.ts';

/** One record of a message: a fact and its place in the commit. A message without facts is one record without a fact. */
export interface Part {
  readonly envelope: Omit<Message, 'facts'>;
  readonly index: number;
  readonly last: boolean;
  readonly fact?: Fact;
}

/** A record that cannot be read, however often it is tried. It becomes a dead letter, and its place is read from the owner. */
export class PermanentDecode extends Error {
  override readonly name = 'PermanentDecode';
}

/** Positions as text that sorts as the numbers do. */
const digits = 16;

/**
 * A message as records for the partition of its lane: CloudEvents 1.0 in binary content mode, a record for each fact.
 * `ce_index` counts within the commit and `ce_last` marks its end.
 *
 * @see CloudEvents Kafka Protocol Binding 1.0.2 §3.2
 */
export function recordsOf(message: Message): readonly KafkaRecord[] {
  const { lane, tenant, facts } = message;
  const common = commonHeaders(message);
  const record = (index: number, own: IHeaders, value: string): KafkaRecord => ({
    partition: lane,
    key: tenant,
    value,
    headers: { ...common, ...own, ce_index: String(index), ce_last: String(index >= facts.length - 1) },
  });
  if (facts.length === 0) return [record(0, { ce_id: `${lane}-${message.position}`, ce_type: noFact }, '{}')];
  return facts.map((fact, index) => {
    const { id, type, schema, subject, version, data } = fact;
    const own = { ce_id: id, ce_type: type, ce_subject: subject, ce_streamversion: String(version) };
    const dataschema = `urn:lyceum:fact:${message.source}:${type}:${schema}`;
    return record(index, { ...own, ce_dataschema: dataschema }, JSON.stringify(data) ?? 'null');
  });
}

function commonHeaders(message: Message): IHeaders {
  const { source, lane, position, previous, tenant, at, arrived, traceparent, commitId, previousId, epoch } = message;
  return {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_source: sourceOf(source, lane),
    ...(at === '' ? {} : { ce_time: at }),
    ...(arrived === undefined ? {} : { ce_arrived: arrived }),
    ce_partitionkey: tenant,
    ce_tenant: tenant,
    ce_sequence: String(position).padStart(digits, '0'),
    ce_prev: String(previous).padStart(digits, '0'),
    ...(commitId === undefined ? {} : { ce_commit: commitId }),
    ...(previousId === undefined ? {} : { ce_prevcommit: previousId }),
    ...(epoch === undefined ? {} : { ce_logepoch: epoch }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

const sourceOf = (source: string, lane: number): string => `/services/${source}/lanes/${lane}`;

/** Reads a record of a lane. Throws `PermanentDecode`. */
export function partOf(source: string, lane: number, { headers = {}, value }: KafkaMessage): Part {
  const the = (name: string): string => optional(headers, name) ?? refuse(`no ${name}`);
  if (the('ce_specversion') !== '1.0') refuse('not CloudEvents 1.0');
  if (the('ce_source') !== sourceOf(source, lane)) refuse(`not of lane ${lane} of ${source}`);
  const traceparent = optional(headers, 'traceparent');
  const arrived = optional(headers, 'ce_arrived');
  const commitId = optional(headers, 'ce_commit');
  const previousId = optional(headers, 'ce_prevcommit');
  const epoch = optional(headers, 'ce_logepoch');
  const envelope = {
    source,
    lane,
    position: whole(the('ce_sequence'), 'ce_sequence'),
    previous: whole(the('ce_prev'), 'ce_prev'),
    tenant: the('ce_tenant'),
    at: optional(headers, 'ce_time') ?? '',
    ...(arrived === undefined ? {} : { arrived }),
    ...(commitId === undefined ? {} : { commitId }),
    ...(previousId === undefined ? {} : { previousId }),
    ...(epoch === undefined ? {} : { epoch }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  const place = { envelope, index: whole(the('ce_index'), 'ce_index'), last: the('ce_last') === 'true' };
  if (!value || value.length === 0) return refuse('no value');
  return the('ce_type') === noFact ? place : { ...place, fact: factOf(the, value) };
}

function factOf(the: (name: string) => string, value: Buffer): Fact {
  const schema = /:(\d{1,9})$/.exec(the('ce_dataschema'))?.[1] ?? refuse('no version in ce_dataschema');
  return {
    id: the('ce_id'),
    type: the('ce_type'),
    schema: Number(schema),
    subject: the('ce_subject'),
    version: whole(the('ce_streamversion'), 'ce_streamversion'),
    data: json(value),
  };
}

function optional(headers: IHeaders, name: string): string | undefined {
  const header = headers[name];
  return (Array.isArray(header) ? header[0] : header)?.toString();
}

function whole(text: string, name: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : refuse(`${name} is no position`);
}

function json(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString());
  } catch {
    return refuse('the value is not JSON');
  }
}

function refuse(problem: string): never {
  throw new PermanentDecode(problem);
}
