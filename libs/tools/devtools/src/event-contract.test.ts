import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { breaks, contractProblems } from './event-contract.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { asyncApiProblems } from './openapi-lint.mjs';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const joined: Schema = {
  type: 'object',
  properties: {
    member_id: text,
    role: { type: 'string', enum: ['owner', 'student'] },
    note: text,
    nick: { anyOf: [text, { type: 'null' }] },
    at: { type: 'string', format: 'date-time' },
    slug: { type: 'string', pattern: '^[a-z]+$', maxLength: 10 },
    count: { type: 'integer', minimum: 0, maximum: 100 },
    ratio: { type: 'number' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { id: text, kind: { const: 'course' } }, required: ['id'] },
    },
    price: {
      anyOf: [
        { type: 'object', properties: { type: { const: 'free' } }, required: ['type'] },
        { type: 'object', properties: { type: { const: 'paid' }, amount: { type: 'integer' } }, required: ['type'] },
      ],
    },
    keys: { type: 'object', additionalProperties: { type: 'integer' } },
    any: {},
  },
  required: ['member_id', 'role', 'nick', 'at', 'slug', 'count', 'ratio', 'lines', 'price', 'keys', 'any'],
};

interface Shape {
  readonly schema?: Schema;
  readonly version?: number;
  readonly address?: string;
  readonly key?: string;
  readonly headers?: Schema;
  readonly type?: string;
}

/** A document with one event. */
const documentOf = ({ schema = joined, version = 1, address = 'school.events', key, headers, type }: Shape = {}) => {
  const name = type ?? 'MemberJoined';
  return {
    channels: { school: { address, messages: { [name]: { $ref: `#/components/messages/school.${name}` } } } },
    components: {
      messages: {
        [`school.${name}`]: {
          headers: {
            allOf: [{ $ref: '#/components/schemas/event-headers' }],
            properties: { ce_dataschema: { const: `urn:lyceum:fact:school:${name}:${version}` } },
          },
          payload: { $ref: '#/components/schemas/payload' },
          bindings: { kafka: { key: { type: 'string', title: key ?? 'ce_partitionkey' } } },
        },
      },
      schemas: {
        payload: schema,
        'event-headers': headers ?? {
          type: 'object',
          properties: { ce_id: text, ce_time: text },
          required: ['ce_id'],
        },
      },
    },
  };
};

const properties = joined['properties'] as Readonly<Record<string, Schema>>;
const required = joined['required'] as readonly string[];

/** The event with some fields in another form; undefined = without the field. */
const withFields = (fields: Readonly<Record<string, Schema | undefined>>): Schema =>
  JSON.parse(JSON.stringify({ ...joined, properties: { ...properties, ...fields } })) as Schema;

const problems = (now: Shape): readonly string[] => breaks(documentOf(), documentOf(now)) as string[];
const item = (change: Schema) => ({
  lines: { type: 'array', items: { type: 'object', required: ['id'], ...change } },
});

describe('what readers of the last release cannot read', () => {
  test('nothing of the same document, of fields that are added anywhere, and of other words', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ schema: { ...withFields({ added: text }), required: [...required, 'added'] } })).toEqual([]);
    expect(problems({ schema: withFields({ note: { ...text, description: 'What was noted' } }) })).toEqual([]);
    expect(
      problems({ schema: withFields(item({ properties: { id: text, kind: { const: 'course' }, added: text } })) }),
    ).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, Schema>>]>([
    ['role', { role: { type: 'string', enum: ['owner'] } }],
    ['nick', { nick: text }],
    ['ratio', { ratio: { type: 'integer' } }],
    ['slug', { slug: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 } }],
    ['count', { count: { type: 'integer', minimum: 1, maximum: 100 } }],
    ['any', { any: text }],
    ['price', { price: { type: 'object', properties: { type: { const: 'free' } }, required: ['type'] } }],
  ])('what is narrower, since readers of this release meet what the last one published: %s', (field, fields) => {
    expect(problems({ schema: withFields(fields) })).toEqual([
      expect.stringContaining(`school.MemberJoined v1: ${field} is narrower now`),
    ]);
  });

  test('a field that is always there now and was not before', () => {
    expect(problems({ schema: { ...joined, required: [...required, 'note'] } })).toEqual([
      expect.stringContaining('note is narrower now'),
    ]);
  });

  test.each<[string, Readonly<Record<string, Schema | undefined>>]>([
    ['member_id is gone', { member_id: undefined }],
    ['note is gone', { note: undefined }],
    ['member_id is integer now and was string', { member_id: { type: 'integer' } }],
    ['ratio is string now and was number', { ratio: text }],
    ['count is number now and was integer', { count: { type: 'number', minimum: 0, maximum: 100 } }],
    ['member_id may be null now', { member_id: { anyOf: [text, { type: 'null' }] } }],
    ['nick may be integer now', { nick: { anyOf: [text, { type: 'null' }, { type: 'integer' }] } }],
    ['role may be "staff" now', { role: { type: 'string', enum: ['owner', 'student', 'staff'] } }],
    ['role may have any value now', { role: text }],
    ['at has no format now', { at: text }],
    ['slug has another pattern now', { slug: { type: 'string', pattern: '^[a-z0-9]+$', maxLength: 10 } }],
    ['slug has maxLength 20 now and had 10', { slug: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 } }],
    ['count has minimum -1 now and had 0', { count: { type: 'integer', minimum: -1, maximum: 100 } }],
    ['count has maximum no more now and had 100', { count: { type: 'integer', minimum: 0 } }],
    ['count has another multipleOf', { count: { type: 'integer', minimum: 0, maximum: 100, multipleOf: 2 } }],
    ['lines[].id is gone', item({ properties: { kind: { const: 'course' } } })],
    ['lines[].id may be left out now', item({ properties: { id: text, kind: { const: 'course' } }, required: [] })],
    ['lines[].kind may be "post" now', item({ properties: { id: text, kind: { enum: ['course', 'post'] } } })],
    ['lines[] is string now and was object', { lines: { type: 'array', items: text } }],
    ['keys.* is string now and was integer', { keys: { type: 'object', additionalProperties: text } }],
    [
      'price.amount is string now and was integer',
      {
        price: {
          anyOf: [
            { type: 'object', properties: { type: { const: 'free' } }, required: ['type'] },
            { type: 'object', properties: { type: { const: 'paid' }, amount: text }, required: ['type'] },
          ],
        },
      },
    ],
    [
      'price may be object with type "barter" now',
      {
        price: {
          anyOf: [
            { type: 'object', properties: { type: { const: 'free' } }, required: ['type'] },
            { type: 'object', properties: { type: { const: 'barter' } }, required: ['type'] },
          ],
        },
      },
    ],
  ])('%s', (what, fields) => {
    const found = problems({ schema: withFields(fields) });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`school.MemberJoined v1: ${what}`);
    expect(found[0]).toContain('give MemberJoined version 2 and an upcaster from v1');
  });

  test('a field that may be left out now', () => {
    const schema = { ...joined, required: required.filter((name) => name !== 'role') };
    expect(problems({ schema })).toEqual([expect.stringContaining('v1: role may be left out now')]);
  });

  test('with a new version the value may be another one; a version never goes back', () => {
    expect(problems({ schema: withFields({ role: undefined }), version: 2 })).toEqual([]);
    expect(breaks(documentOf({ version: 2 }), documentOf())).toEqual([expect.stringContaining('versions only grow')]);
  });

  test('an event, a topic, the key of records and their headers stay whatever the version', () => {
    expect(problems({ type: 'MemberCame' })).toEqual([expect.stringContaining('school.MemberJoined is gone')]);
    expect(problems({ address: 'schools' })).toEqual([expect.stringContaining('school.events is called schools now')]);
    expect(breaks(documentOf(), { ...documentOf(), channels: {} })).toEqual([
      expect.stringContaining('topic school.events is gone'),
    ]);
    expect(problems({ key: 'ce_subject', version: 2 })).toEqual([expect.stringContaining('another key')]);
    const headers = { type: 'object', properties: { ce_time: text }, required: [] };
    expect(problems({ headers, version: 2 })).toEqual([expect.stringContaining('header ce_id is gone')]);
  });
});

describe('docs/integration-events', () => {
  test('is read by those who read the last release', () => {
    expect(contractProblems()).toEqual([]);
  });

  test('is an AsyncAPI document for an independent linter, which is really asked', async () => {
    const document = JSON.parse(readFileSync('docs/integration-events/asyncapi.json', 'utf8'));
    expect(await asyncApiProblems(document)).toEqual([]);
    const { operations: _operations, ...broken } = { ...document, channels: { school: { adress: 'x' } } };
    expect((await asyncApiProblems(broken)).join()).toContain('adress');
  });

  test('names every event that the last release published, with its schema', () => {
    const { document } = JSON.parse(readFileSync('docs/integration-events/last-release.json', 'utf8'));
    expect(Object.keys(document.channels)).toContain('school');
    const before = document.components.messages['school.MemberJoined'];
    const name = (before.payload.$ref as string).split('/').at(-1)!;
    delete document.components.schemas[name].properties.role;
    const now = JSON.parse(readFileSync('docs/integration-events/asyncapi.json', 'utf8'));
    delete now.components.schemas[name].properties.member_id;
    expect(breaks(document, now)).toEqual([expect.stringContaining('school.MemberJoined v1: member_id is gone')]);
  });
});
