import { describe, expect, test } from '@jest/globals';
import { type FactSource, facts, scopeNames } from '@lyceum/contracts';
import { describe as described, operation } from '@lyceum/web';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Reader, changeRules, shownTo, viewOf } from './change.rules.ts';
import { change } from './change.schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** What each kind of fact looks like, as some release wrote it. */
const written = (source: FactSource): readonly { readonly type: string; readonly data: Json }[] =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../libs/contracts/src/integration-events/${source}.facts.golden.json`, import.meta.url),
      'utf8',
    ),
  ) as never;

const scopes = new Set(scopeNames);
const readers: readonly Reader[] = [
  { subject: 'account_1', role: 'owner', scopes },
  { subject: 'account_1', role: 'member', scopes },
  undefined,
];
const envelope = {
  specversion: '1.0',
  id: 'fact_1',
  source: '/services/any',
  subject: 'thing_1',
  time: '2026-01-05T08:00:00.000Z',
  schoolid: 'school_1',
  version: 1,
} as const;

const readChanges = operation({
  id: 'readChanges',
  method: 'GET',
  path: '/api/changes',
  area: 'changes',
  summary: 'What has changed',
  anonymous: true,
  status: 200,
  reply: z.object({ data: z.array(change) }),
  handle: async () => ({}),
});
const { schemas } = described('gateway', [readChanges])['components'] as { schemas: Record<string, Json> };

describe('the schemas of changes', () => {
  test('OpenAPI 3.0.3 §4.7.25: there is one for each type, which the type tells', () => {
    const { oneOf, discriminator } = schemas['Change'] as { oneOf: { $ref: string }[]; discriminator: Json };
    expect(discriminator).toEqual({ propertyName: 'type' });
    const types = Object.values(changeRules).flatMap((rules) => Object.keys(rules));
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(types.map((type) => `#/components/schemas/${type}`));
    for (const type of types) expect((schemas[type]!['properties'] as { type: Json }).type['enum']).toEqual([type]);
  });

  test.each(Object.keys(changeRules) as FactSource[])(
    'every reader finds in the facts of %s what they say',
    (source) => {
      for (const { type, data } of written(source).filter(({ type }) => Object.hasOwn(changeRules[source], type)))
        for (const reader of readers) {
          const shown = shownTo(reader, source, type, { ...data, account_id: 'account_1' });
          if (!shown) continue;
          const sent = {
            ...envelope,
            ...shown,
            data: source === 'auth' ? shown.data : without(shown.data, 'account_id'),
          };
          expect([type, change.parse(sent)]).toEqual([type, sent]);
          expect([type, fitting(sent)]).toEqual([type, true]);
        }
    },
  );

  test('a shape that a newer release tells goes through as it is', () => {
    const strange = { ...envelope, type: 'CourseArchived', data: { course_id: { of: 'another kind' } } };
    expect(change.parse(strange)).toEqual(strange);
  });

  test('no schema names what no reader finds', () => {
    for (const name of ['tokens_not_before', 'never_listed', 'unseen'])
      expect(JSON.stringify(schemas)).not.toContain(name);
    expect(Object.keys(facts.catalog.CourseShown.data.shape)).toContain('never_listed');
  });

  test.each([
    ['owner', 'staff'],
    ['admin', 'staff'],
    ['lecturer', 'member'],
    ['member', 'member'],
  ] as const)('to %s the feed says that it is the view of %s', (role, view) => {
    expect(viewOf({ subject: 'mem_1', role, scopes })).toBe(view);
    expect(viewOf(undefined)).toBe('anonymous');
  });
});

const without = ({ ...data }: Json, name: string): Json => {
  delete (data as Record<string, unknown>)[name];
  return data;
};

/** Whether the schema of its type takes a change, and not only the way out for newer ones. */
const fitting = (sent: Json): boolean =>
  (change as unknown as { def: { innerType: z.ZodType } }).def.innerType.safeParse(sent).success;
