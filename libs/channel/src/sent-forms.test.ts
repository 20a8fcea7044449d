import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KafkaMessage, KafkaRecord } from './kafka/kafka-driver.ts';
import { partOf, recordsOf } from './kafka/records.ts';
import type { Message } from './port.ts';

/** A message and the records that the build of cf2210f made of it, with facts and without. */
const old = JSON.parse(readFileSync(join(import.meta.dirname, 'sent-forms.golden.json'), 'utf8')) as {
  readonly message: Message;
  readonly records: readonly KafkaRecord[];
  readonly silent: readonly KafkaRecord[];
};

/** Headers that cf2210f does not look at. */
const added = ['ce_commit', 'ce_prevcommit', 'ce_logepoch', 'ce_arrived'];

const received = ({ value, headers }: KafkaRecord): KafkaMessage =>
  ({
    value: Buffer.from(value as string),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(text as string)]),
    ),
  }) as KafkaMessage;

const asBefore = (record: KafkaRecord): KafkaRecord => ({
  ...record,
  headers: Object.fromEntries(Object.entries(record.headers ?? {}).filter(([name]) => !added.includes(name))),
});

describe('two releases on one channel', () => {
  test('records that cf2210f sent are read', () => {
    const { facts, ...envelope } = old.message;
    const parts = old.records.map((record) => partOf('school', 3, received(record)));
    expect(parts).toEqual(facts.map((fact, index) => ({ envelope, index, last: index === facts.length - 1, fact })));
    expect(partOf('school', 3, received(old.silent[0]!))).toEqual({ envelope, index: 0, last: true });
  });

  test('what is sent now differs for cf2210f in headers only that it does not look at', () => {
    const message: Message = {
      ...old.message,
      commitId: 'c',
      previousId: 'b',
      epoch: 'e',
      arrived: '2026-01-06T09:00:00.000Z',
    };
    const sent = recordsOf(message);
    expect(sent.map((record) => added.every((name) => name in (record.headers ?? {})))).toEqual([true, true]);
    expect(sent.map(asBefore)).toEqual(old.records);
    expect(recordsOf({ ...message, facts: [] }).map(asBefore)).toEqual(old.silent);
  });
});
