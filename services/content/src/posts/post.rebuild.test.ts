import { expect, test } from '@jest/globals';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { content as module } from '../module.ts';
import { type ContentUnderTest, fileIds, startContent } from '../testing.ts';

const schools = ['school_1', 'school_2'] as const;

const kinds = [
  ...([
    'create',
    'create',
    'change',
    'change',
    'slug',
    'publish',
    'publish',
    'schedule',
    'unpublish',
    'roll back',
  ] as const),
  ...(['archive', 'delete', 'pin', 'unpin', 'subscribe', 'cancel', 'grant', 'erase'] as const),
] as const;

const step = fc.record({
  what: fc.constantFrom(...kinds),
  area: fc.constantFrom('pages', 'posts'),
  school: fc.constantFrom(...schools),
  which: fc.nat({ max: 5 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const first = { area: 'posts', school: 'school_1', which: 0 } as const;

/** A post and a page that are public, one with a draft of its own, somebody who has a plan, and drafts. */
const example: readonly Step[] = [
  { ...first, what: 'create' },
  { ...first, what: 'publish' },
  { ...first, what: 'pin' },
  { ...first, what: 'change' },
  { ...first, what: 'create', area: 'pages' },
  { ...first, what: 'publish', area: 'pages' },
  { ...first, what: 'slug', area: 'pages' },
  { ...first, what: 'grant' },
  { ...first, what: 'subscribe' },
  { ...first, what: 'create' },
  { ...first, what: 'create', area: 'pages' },
];

/** The service, and the ids of what was made in each area of each school so far. */
interface Content extends ContentUnderTest {
  readonly made: Map<string, string[]>;
  count: number;
}

const plan_id = 'plan_1';

function published(content: Content, { what, which, school }: Step) {
  const about = { subscription_id: `subscription_${which}`, member_id: `acc_${which}`, plan_id, plan_version: 1 };
  const grants = { courses: [], digital_products: [], posts: which % 2 === 0, event_discount_percent: 0 };
  const keep_existing = which > 2;
  const facts = {
    subscribe: ['commerce', 'SubscriptionStarted', { ...about, access: content.count }],
    cancel: ['commerce', 'SubscriptionCanceled', { ...about, access: content.count }],
    grant: [
      'commerce',
      'PlanGrantsChanged',
      { plan_id, plan_version: 1, grants, added: [], removed: [], keep_existing },
    ],
    erase: ['school', 'SubjectErased', { subject: `acc_${which}` }],
  } as const;
  const [source, type, data] = facts[what as keyof typeof facts];
  return content.publish(source, { type, data, school });
}

async function perform(content: Content, asked: Step): Promise<unknown> {
  const { what, area, school, which } = asked;
  content.count += 1;
  content.clock.advance(1_000);
  const all = content.made.get(area + school) ?? [];
  const path = `/api/${area}`;
  const at = `${path}/${all[which % all.length] ?? 'nothing'}`;
  const title = `Title ${content.count}`;
  const send = (method: string, below: string, body?: object) =>
    content.call(method, at + below, { school, ...(body ? { body } : {}) });
  switch (what) {
    case 'create': {
      const image = school === 'school_1' && which === 0;
      const cover = area === 'posts' && image ? { cover: fileIds.cover, tags: ['a', 'b'], visibility: 'plans' } : {};
      const { body } = await content.call('POST', path, { school, body: { title, ...cover } });
      return content.made.set(area + school, [...all, body.id]);
    }
    case 'change':
      return send('PATCH', '', { title });
    case 'slug':
      return send('PATCH', '', { slug: `slug-${content.count}` });
    case 'publish':
    case 'unpublish':
    case 'archive':
    case 'pin':
    case 'unpin':
      return send('POST', `/${what}`);
    case 'schedule':
      return send('POST', '/schedule', { scheduled_for: '2030-01-01T00:00:00Z' });
    case 'roll back':
      return send('POST', '/rollback', { revision: 1 + (which % 3) });
    case 'delete':
      return send('DELETE', '');
    default:
      return published(content, asked);
  }
}

test('projections rebuilt equal live: pages, posts and plans say what they said when they followed', async () => {
  const seen = await expectRebuiltAlike({
    module,
    start: async (): Promise<Content> => ({ ...(await startContent()), made: new Map(), count: 0 }),
    step,
    example,
    perform,
    tenants: () => schools,
  });
  const rows = (name: string) => Object.values(seen[name] ?? {});
  for (const name of ['pages', 'posts']) {
    const statuses = new Set(rows(name).map(({ status }) => status));
    expect([...statuses]).toEqual(expect.arrayContaining(['draft', 'published']));
  }
  expect(rows('post-plans').some(({ live }) => live === true)).toBe(true);
  expect(rows('file-holders').length).toBeGreaterThan(0);
}, 180_000);
