import { afterAll, beforeAll, describe as group, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Expansions, describe, expandOf, expandedIn, fieldsOf, listOf, listQuery, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

const person = z.object({ id: z.string(), name: z.string(), phone: z.string().meta({ sees: 'staff' }) });
const thing = z
  .object({
    id: z.string(),
    title: z.string(),
    note: z.string().meta({ sees: 'staff' }),
    maker_ids: z.array(z.string()),
    view: z.string(),
  })
  .meta({ id: 'Thing' });
const expands: Expansions = {
  makers: {
    scope: 'lecturers:read',
    reply: z.array(person.meta({ id: 'Person' })),
    within: { best: { scope: 'curriculum:read', reply: thing } },
  },
};
const asked = { ...fieldsOf(thing), ...expandOf(expands) };
const base = { area: 'courses', summary: 'A test operation', scope: 'courses:read', anonymous: true } as const;

const shown = (view: string, expand: readonly string[] | undefined) => {
  const body = { id: 'thing_1', title: 'A', note: 'secret', maker_ids: ['person_1'], view };
  const below = expandedIn(expand, 'makers');
  const maker = { id: 'person_1', name: 'Ana', phone: '1', ...(below?.includes('best') ? { best: body } : {}) };
  return below ? { ...body, makers: [maker] } : body;
};

const operations = [
  operation({
    ...base,
    id: 'readThing',
    method: 'GET',
    path: '/api/things/a',
    query: z.strictObject(asked),
    expands,
    status: 200,
    reply: thing,
    handle: async ({ view, query }) => ({ body: shown(view, query.expand), version: 3 }),
  }),
  operation({
    ...base,
    id: 'listThings',
    method: 'GET',
    path: '/api/things',
    query: z.strictObject({ ...listQuery, ...asked }),
    expands,
    status: 200,
    reply: listOf(thing),
    handle: async ({ view, query }) => ({
      body: { object: 'list', data: [shown(view, query.expand)], has_more: false, next_cursor: null },
    }),
  }),
  operation({
    ...base,
    id: 'moveThing',
    method: 'GET',
    path: '/api/moved',
    query: z.strictObject(asked),
    expands,
    status: 200,
    reply: thing,
    handle: async () => ({ status: 308, headers: { Location: '/api/things/a' } }),
  }),
];

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects by asserting it
type Any = Record<string, any>;

group('parts of an answer', () => {
  let served: Serving;
  beforeAll(async () => void (served = await serving(operations)));
  afterAll(() => served.close());
  const read = (query: string) => served.send(`/api/things/a${query}`);

  test('are the fields that were asked for, and what the thing is', async () => {
    expect((await read('?fields=title')).json).toEqual({ id: 'thing_1', title: 'A', view: 'anonymous' });
    expect((await served.send('/api/things?fields=title')).json['data']).toEqual([
      { id: 'thing_1', title: 'A', view: 'anonymous' },
    ]);
  });

  test('never more than the view has: a field of the staff is none to others', async () => {
    expect((await read('?fields=note,title')).json).toEqual({ id: 'thing_1', title: 'A', view: 'anonymous' });
    const staff = await served.send('/api/things/a?fields=note', { as: { role: 'owner', scopes: ['courses:read'] } });
    expect(staff.json).toEqual({ id: 'thing_1', note: 'secret', view: 'staff' });
  });

  test('things are expanded where they are asked for, as the view sees them', async () => {
    expect(await read('')).toMatchObject({ json: { maker_ids: ['person_1'] } });
    expect((await read('')).json).not.toHaveProperty('makers');
    expect((await read('?expand=makers&fields=title')).json).toEqual({
      id: 'thing_1',
      title: 'A',
      makers: [{ id: 'person_1', name: 'Ana' }],
      view: 'anonymous',
    });
    const deep = (await read('?expand=makers.best')).json['makers'] as unknown as { best: object }[];
    expect(deep[0]!.best).toEqual({ id: 'thing_1', title: 'A', maker_ids: ['person_1'], view: 'anonymous' });
  });

  test('a token needs the scope of what is expanded, at each step; no token is the public view', async () => {
    const as = (scopes: string) => ({ as: { role: 'owner', scopes: scopes.split(' ') } }) as const;
    const refused = await served.send('/api/things/a?expand=makers', as('courses:read'));
    expect(refused).toMatchObject({ status: 403, json: { error: 'insufficient_scope' } });
    expect(refused.headers['www-authenticate']).toContain('scope="lecturers:read"');
    const half = await served.send('/api/things/a?expand=makers.best', as('courses:read lecturers:read'));
    expect(half.headers['www-authenticate']).toContain('scope="curriculum:read"');
    const whole = await served.send('/api/things/a?expand=makers', as('courses:read lecturers:read'));
    expect(whole.json['makers']).toEqual([{ id: 'person_1', name: 'Ana', phone: '1' }]);
  });

  test.each([
    ['fields=colour', 'fields takes names separated by commas. There are: id, title, note, maker_ids, view'],
    ['fields=', 'There are: id, title'],
    ['fields=title,,note', 'There are: id, title'],
    ['expand=title', 'expand takes names separated by commas. There are: makers, makers.best'],
    ['expand=makers.best.makers', 'There are: makers, makers.best'],
    [`fields=${'title,'.repeat(500)}x`, 'There are: id, title'],
    ['expand=__proto__', 'There are: makers'],
  ])('names that are not known are 400 and told: %.40s', async (query, told) => {
    const { status, json } = await read(`?${query}`);
    expect([status, json['error'], json['error_description']]).toEqual([
      400,
      'invalid_request',
      expect.stringContaining(told),
    ]);
  });

  test('a redirect asks for the same', async () => {
    const moved = await served.send('/api/moved?expand=makers&fields=title');
    expect([moved.status, moved.headers['location']]).toEqual([308, '/api/things/a?expand=makers&fields=title']);
  });

  test('the schema of an answer is the whole thing, and the parameter says that it leaves members out', () => {
    const { paths, components } = describe('test', operations) as Any;
    const { parameters, responses } = paths['/api/things/a']['get'] as Any;
    const byName = (name: string) => (parameters as { name: string }[]).find((each) => each.name === name);
    expect(byName('fields')).toMatchObject({
      explode: false,
      'x-selects': true,
      description: expect.stringContaining('all other members are absent'),
      schema: { type: 'array', items: { enum: ['id', 'title', 'note', 'maker_ids', 'view'] } },
    });
    expect(byName('expand')).toMatchObject({
      description: expect.stringContaining('`makers.best` (lecturers:read, curriculum:read)'),
      schema: { items: { enum: ['makers', 'makers.best'] } },
    });
    const schemas = components['schemas'] as Any;
    expect(responses['200']['content']['application/json']['schema']).toEqual({
      $ref: '#/components/schemas/ThingWithMakersBest',
    });
    expect((schemas['ThingWithMakersBest'] as Any)['allOf']).toEqual([
      { $ref: '#/components/schemas/Thing' },
      { $ref: '#/components/schemas/ExpandedMakersBest' },
    ]);
    expect(Object.keys((schemas['ExpandedMakersBest'] as Any)['properties'] as Any)).toEqual(['makers']);
    expect(schemas['ExpandedMakersBest']).not.toHaveProperty('required');
    expect((schemas['Thing'] as Any)['required']).toContain('title');
  });
});
