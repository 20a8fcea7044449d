import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Assembler } from './reading/assembler.ts';
import type { KafkaMessage, KafkaRecord } from './kafka-driver.ts';
import { recordHeaders } from './record-headers.ts';
import { type Part, PermanentDecode, partOf, recordsOf } from './records.ts';
import type { Fact, Message } from '../port.ts';

const fact = (id: string): Fact => ({
  id,
  type: 'Said',
  schema: 2,
  subject: 'talk-1',
  version: 7,
  data: { text: 'hi' },
});
const message = (facts: readonly Fact[], more: Partial<Message> = {}): Message => ({
  source: 'owner',
  lane: 3,
  position: 42,
  previous: 40,
  tenant: 'school_1',
  at: '2026-01-05T08:00:00.000Z',
  facts,
  ...more,
});
/** The record as a consumer gets it: bytes. */
const received = ({ value, headers }: KafkaRecord): KafkaMessage =>
  ({
    offset: '0',
    timestamp: '0',
    attributes: 0,
    key: null,
    value: value === null ? null : Buffer.from(value),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(text as string)]),
    ),
  }) as KafkaMessage;
const assembled = (parts: readonly Part[]): readonly unknown[] => {
  const assembler = new Assembler();
  return parts.map((part) => assembler.add(part)).filter((each) => each !== undefined);
};
const parts = (each: Message): readonly Part[] => recordsOf(each).map((record) => partOf('owner', 3, received(record)));

describe('the records of a message', () => {
  test('CloudEvents 1.0 Kafka binding §3.2: attributes are ce_ headers, the data is the value', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const [first, second, ...rest] = recordsOf(message([fact('a'), fact('b')], { traceparent }));
    expect(rest).toEqual([]);
    expect(first).toEqual({
      partition: 3,
      key: 'school_1',
      value: '{"text":"hi"}',
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: 'a',
        ce_source: '/services/owner/lanes/3',
        ce_type: 'Said',
        ce_subject: 'talk-1',
        ce_time: '2026-01-05T08:00:00.000Z',
        ce_dataschema: 'urn:lyceum:fact:owner:Said:2',
        ce_partitionkey: 'school_1',
        ce_tenant: 'school_1',
        ce_sequence: '0000000000000042',
        ce_prev: '0000000000000040',
        ce_streamversion: '7',
        ce_index: '0',
        ce_last: 'false',
        traceparent,
      },
    });
    expect(second?.headers).toMatchObject({ ce_id: 'b', ce_index: '1', ce_last: 'true' });
  });

  test('CloudEvents 1.0 §3: extension attributes are lower-case letters and digits only', () => {
    const names = recordsOf(message([fact('a')])).flatMap(({ headers }) => Object.keys(headers ?? {}));
    expect(names.filter((name) => name.startsWith('ce_') && !/^ce_[a-z0-9]{1,20}$/.test(name))).toEqual([]);
  });

  test('headers are those that are declared, each where and as it is declared', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const arrived = '2026-01-06T08:00:00.000Z';
    const ids = { commitId: 'c', previousId: 'b', epoch: 'e' };
    const on = (wanted: readonly string[]) =>
      Object.keys(recordHeaders).filter((name) => wanted.includes(recordHeaders[name]!.on));
    const headersOf = (each: Message) => recordsOf(each)[0]!.headers as Readonly<Record<string, string>>;
    const full = headersOf(message([fact('a')], { traceparent, arrived, ...ids }));
    const plain = headersOf(message([fact('a')], { at: '' }));
    const silent = headersOf(message([], { at: '' }));
    expect(Object.keys(full).toSorted()).toEqual(on(['always', 'event', 'known']).toSorted());
    expect(Object.keys(plain).toSorted()).toEqual(on(['always', 'event']).toSorted());
    expect(Object.keys(silent).toSorted()).toEqual(on(['always']).toSorted());
    for (const headers of [full, plain, silent])
      for (const [name, value] of Object.entries(headers))
        expect([name, value]).toEqual([name, expect.stringMatching(recordHeaders[name]!.pattern ?? '')]);
  });

  test('no value is ever empty, also when a fact has no data or a message no fact', () => {
    const values = [message([{ ...fact('a'), data: undefined }]), message([])].flatMap(recordsOf);
    expect(values.map(({ value }) => value)).toEqual(['null', '{}']);
  });

  test('whatever the facts, the receiver gets the message again', () => {
    const anyFact = fc.record({
      id: fc.string({ minLength: 1 }),
      type: fc.string({ minLength: 1 }).filter((type) => type !== 'lyceum.none'),
      schema: fc.integer({ min: 1, max: 999 }),
      subject: fc.string(),
      version: fc.nat(),
      data: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 5 }), fc.nat(), fc.nat(), (facts, position, previous) => {
        const sent = JSON.parse(JSON.stringify(message(facts, { position, previous }))) as Message;
        expect(assembled(parts(sent))).toEqual([sent]);
      }),
    );
  });

  test.each<[string, Partial<Record<string, string>>, string | null]>([
    ['no value', {}, null],
    ['no value', {}, ''],
    ['the value is not JSON', {}, '{'],
    ['not CloudEvents 1.0', { ce_specversion: '2.0' }, '{}'],
    ['not of lane 3 of owner', { ce_source: '/services/owner/lanes/4' }, '{}'],
    ['ce_sequence is no position', { ce_sequence: '-1' }, '{}'],
    ['ce_prev is no position', { ce_prev: '99999999999999999' }, '{}'],
    ['no version in ce_dataschema', { ce_dataschema: 'urn:else' }, '{}'],
  ])('a record that cannot be read says why: %s', (why, headers, value) => {
    const [record] = recordsOf(message([fact('a')]));
    const bad = received({ ...record!, value, headers: { ...record!.headers, ...headers } });
    expect(() => partOf('owner', 3, bad)).toThrow(new PermanentDecode(why));
  });

  test('a record without headers is not ours', () => {
    const bare = received({ ...recordsOf(message([]))[0]!, headers: {} });
    expect(() => partOf('owner', 3, bare)).toThrow(new PermanentDecode('no ce_specversion'));
  });
});

describe('reassembly', () => {
  const one = message([fact('a'), fact('b'), fact('c')]);
  const two = message([fact('d'), fact('e')], { position: 43, previous: 42 });

  test('commits follow each other, and a repeated beginning starts again', () => {
    expect(assembled([...parts(one), ...parts(two)])).toEqual([one, two]);
    expect(assembled([...parts(one).slice(0, 2), ...parts(one)])).toEqual([one]);
  });

  test('a commit whose beginning or middle is missing is given up, and said to be; the next one is whole', () => {
    const [a, b, c] = parts(one) as [Part, Part, Part];
    expect(assembled([b, c, ...parts(two)])).toEqual(['broken', 'broken', two]);
    expect(assembled([a, c, ...parts(two)])).toEqual(['broken', two]);
    expect(assembled([a, b, ...parts(two)])).toEqual([two]);
    expect(assembled([a, parts(two)[1]!])).toEqual(['broken']);
  });
});
