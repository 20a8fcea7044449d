import type { OperationRequest, OperationResponse } from '@lyceum/web';

/** A service that a test plays. */
export type TestService = (request: OperationRequest) => OperationResponse;

/** A response of a service. */
export const give = (status: number, body: unknown, headers: Record<string, string> = {}): OperationResponse => ({
  status,
  body,
  headers,
});

const base = {
  object: 'course',
  summary: 'Fold and glue.',
  access: 'paid',
  category: 'craft',
  level: 'beginner',
  language: 'en',
  lecturer_ids: [],
  lesson_count: 3,
  duration_s: 5_400,
  prices: [{ id: 'price_1', amount: 4_900, currency: 'USD' }],
  updated_at: '2026-01-05T08:00:00.000Z',
  version: 2,
};

const id = (count: number): string => `course_00000000-0000-7000-8000-${String(count).padStart(12, '0')}`;

/** Courses, newest first. */
export const courses = Array.from({ length: 130 }, (_, index) => ({
  ...base,
  id: id(index),
  slug: `course-${index}`,
  title: `Course ${index}`,
  ...(index % 10 === 9 ? { access: 'free', prices: [], level: 'advanced' } : {}),
}));

/** Digital products, one of them not for sale yet. */
export const products = [0, 1].map((index) => ({
  object: 'digital_product',
  id: `digital_product_${index}`,
  slug: `pattern-${index}`,
  title: `Pattern | ${index}`,
  summary: null,
  prices: index === 0 ? [{ id: 'price_2', amount: 900, currency: 'JPY' }] : [],
  updated_at: '2026-01-06T08:00:00.000Z',
}));

/** Membership plans: of each kind one, the last of which has as many subscribers as it may have. */
export const plans = [
  { kind: 'recurring', interval: 'month', interval_count: 3, trial_days: 14, available: true },
  { kind: 'fixed_term', interval: 'year', interval_count: 1, trial_days: 0, available: true },
  { kind: 'lifetime', interval: null, interval_count: null, trial_days: 0, available: false },
].map((terms, index) => ({
  object: 'membership_plan',
  id: `plan_${index}`,
  slug: `plan-${index}`,
  name: `Plan ${index}`,
  summary: null,
  price: { amount: 1_500, currency: 'USD' },
  opens: { courses: index === 0 ? 'all' : 1, digital_products: 2, posts: true, event_discount_percent: 10 },
  updated_at: '2026-01-07T08:00:00.000Z',
  ...terms,
}));

/** A commerce service that sells these plans. */
export const commerceWith =
  (sold: readonly object[]): TestService =>
  () =>
    give(200, { object: 'list', data: sold, has_more: false, next_cursor: null, view: 'anonymous' });

/** A content service whose school has written these posts, and whose calendar has these events. */
export const contentWith =
  (posts: readonly { readonly slug: string }[], calendar: readonly object[] = []): TestService =>
  ({ path }) => {
    const listed = { '/api/posts': posts, '/api/events': calendar }[path];
    if (listed)
      return give(200, { object: 'list', data: listed, has_more: false, next_cursor: null, view: 'anonymous' });
    const found = posts.find(({ slug }) => path === `/api/posts/${slug}`);
    return found ? give(200, found) : give(404, { error: 'not_found' });
  };

/** Events of the calendar, of which one costs something and one is full. */
export const events = [
  { price: { amount: 1_500, currency: 'USD' }, seats: 'few', registration: 'open' },
  { price: null, seats: 'none', registration: 'sold_out' },
].map((more, index) => ({
  object: 'event',
  id: `event_${index}`,
  slug: `evening-${index}`,
  title: `Evening ${index}`,
  summary: null,
  starts_at: '2026-02-01T18:00:00.000Z',
  ends_at: '2026-02-01T20:00:00.000Z',
  timezone: 'Europe/Lisbon',
  status: 'published',
  updated_at: '2026-01-08T08:00:00.000Z',
  ...more,
}));

/** A catalogue service as the real one answers, in little. */
export const catalog: TestService = ({ method, path, querystring, headers }) => {
  const query = new URLSearchParams(querystring);
  const view = headers['authorization'] === undefined ? 'anonymous' : 'staff';
  if (method !== 'GET') {
    const status = path.endsWith('/publish') || method !== 'POST' ? 200 : 201;
    return give(status, { ...courses[0], version: 3 }, { 'consistency-token': '0.7' });
  }
  const all = { '/api/courses': courses, '/api/digital_products': products }[path];
  if (all) {
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Number(query.get('limit'));
    const found = all.filter(({ title }) => title.includes(query.get('q') ?? ''));
    const next_cursor = to < found.length ? String(to) : null;
    return give(200, {
      object: 'list',
      data: found.slice(from, to),
      has_more: next_cursor !== null,
      next_cursor,
      view,
    });
  }
  const name = path.slice('/api/courses/'.length);
  if (name === 'former-slug') return give(308, {}, { location: '/api/courses/course-1' });
  const found = courses.find((course) => course.id === name || course.slug === name);
  if (found) return give(200, { ...found, view });
  return give(404, { error: 'not_found', error_description: 'There is no such thing here' });
};

/** The school service and the account, in little. */
export const school: TestService = () =>
  give(200, { name: 'Lantern Craft School', locale: 'en', currency: 'USD', timezone: 'UTC', sign_up: 'open' });
export const auth: TestService = () => give(200, { object: 'account', authenticated: true, name: 'Ada' });

const enrollment = (id: string, more: object) => ({
  id,
  object: 'enrollment',
  course_id: 'course_1',
  course_title: 'Lanterns',
  state: 'active',
  starts_at: '2026-01-01T08:00:00.000Z',
  expires_at: null,
  progress: { completed: 1, required: 4, percent: 25, last_activity_at: '2026-01-05T08:00:00.000Z' },
  completed_at: null,
  next_lesson: { id: 'lesson_2', title: 'Glue', type: 'video', duration_s: 300 },
  view: 'member',
  ...more,
});

/** The learning service, in little: two enrollments, of which a page has one. */
export const learning: TestService = ({ querystring }) => {
  const isFirst = !new URLSearchParams(querystring).has('cursor');
  const data = [isFirst ? enrollment('enrollment_1', {}) : enrollment('enrollment_2', { next_lesson: null })];
  return give(200, { object: 'list', data, has_more: isFirst, next_cursor: isFirst ? 'more' : null, view: 'member' });
};
