import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { parse } from 'csv-parse/sync';
import { type Analytics, course, coupon, enrollment, on, order, startAnalytics, submission } from '../testing.ts';

const forHeads = ['revenue', 'subscriptions', 'coupons', 'forms'];
const learning = ['enrollments', 'active_students', 'funnel', 'retention'];
const all = [...forHeads, ...learning];

const sold = order('order_1', [{ of: 1, total: 1_230, tax: 230 }], { coupon_id: coupon(1) });
const [ada, bob] = [enrollment('ada', 1), enrollment('bob', 2)];

const facts = [
  sold.placed(on('03-01')),
  sold.paid(on('03-01')),
  sold.refunded(on('03-02'), 'refund_1', 1_230),
  ada.activated(on('03-01')),
  bob.activated(on('03-02')),
  ada.learnt(on('03-02'), 50),
  bob.started(on('03-02')),
  submission('submission_1', 1).sent(on('03-01'), 'spam'),
];

const march = 'from=2026-03-01&to=2026-03-03';

describe('reports', () => {
  let service: Analytics;
  beforeAll(async () => void (service = await startAnalytics({ facts, teaches: [1] })));
  afterAll(() => service.close());

  const get = (path: string, as: TokenClaims | 'anonymous' = {}, school?: string) =>
    service.call('GET', `/api/analytics/${path}`, { as, ...(school === undefined ? {} : { school }) });
  const statusOf = async (path: string, as: TokenClaims | 'anonymous', school?: string) => {
    const { status, body } = await get(path, as, school);
    return [status, body.error];
  };

  describe.each([...all, `drop_off?course_id=${course(1)}`])('%s', (path) => {
    const name = path.split('?')[0]!;
    const isForHeads = forHeads.includes(name);

    test.each([
      ['anonymous', 'anonymous', 404, 'not_found'],
      ['a member', { role: 'member', subject: 'account_ada' }, 403, 'access_denied'],
      ['a token without the scope', { role: 'owner', scopes: ['orders:read'] }, 403, 'insufficient_scope'],
      [
        'a lecturer',
        { role: 'lecturer', subject: 'account_lecturer' },
        isForHeads ? 403 : 200,
        isForHeads ? 'access_denied' : undefined,
      ],
      ['an admin', { role: 'admin' }, 200, undefined],
      ['an owner', { role: 'owner' }, 200, undefined],
    ] as const)('for %s: %s', async (_who, as, status, error) => {
      expect(await statusOf(path, as as TokenClaims)).toEqual([status, error]);
    });

    test('tells another school nothing of this one', async () => {
      const { body } = await get(
        path.includes('?') ? path : `${path}?from=2026-03-01&to=2026-03-08`,
        { role: 'owner' },
        'school_2',
      );
      const figures = body.data.flatMap((row: object) =>
        Object.values(row).filter((value) => typeof value === 'number'),
      );
      expect(figures.every((value: number) => value === 0)).toBe(true);
      expect(body.as_of).toBeNull();
    });
  });

  test('a token of another school is refused', async () => {
    const { status } = await service.call('GET', '/api/analytics/revenue', {
      as: {},
      headers: { 'x-school-id': 'school_2' },
    });
    expect(status).toBe(401);
  });

  test('of forms as CSV: the same figures', async () => {
    const { headers, body } = await get(`forms?${march}&format=csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="forms.csv"');
    expect(String(body).split('\r\n').slice(0, 2)).toEqual([
      'date,form_id,submissions,spam,restored,spam_bp,as_of,complete',
      `2026-03-01,,1,1,0,10000,${on('03-01')},false`,
    ]);
    expect(await statusOf('forms?form_id=1', {})).toEqual([422, 'validation_failed']);
  });

  test('a lecturer gets rows of own courses only, one by one, and is not told whether another course is there', async () => {
    const lecturer = { role: 'lecturer', subject: 'account_lecturer' } as const;
    const rows = async (path: string) => (await get(path, lecturer)).body.data;
    expect((await rows(`enrollments?${march}`)).map((row: object) => Object.values(row).slice(0, 3))).toEqual([
      ['2026-03-01', course(1), 1],
      ['2026-03-02', course(1), 0],
    ]);
    expect((await rows('funnel?from=2026-03-02&to=2026-03-03'))[0]).toMatchObject({
      course_id: course(1),
      enrolled: 0,
    });
    expect(await statusOf(`enrollments?course_id=${course(2)}`, lecturer)).toEqual([404, 'not_found']);
    expect(await statusOf(`drop_off?course_id=${course(2)}`, lecturer)).toEqual([404, 'not_found']);
    expect((await get(`enrollments?course_id=${course(1)}&${march}`, lecturer)).body.data).toHaveLength(2);
    expect((await get(`enrollments?${march}`, { role: 'lecturer', subject: 'account_other' })).body.data).toEqual([]);
  });

  test.each([
    ['from=2026-03-02&to=2026-03-02'],
    ['from=2026-03-03&to=2026-03-02'],
    ['from=2025-01-01&to=2026-02-06'],
    ['from=2026-02-30'],
    ['from=0001-01-01&to=0001-01-02'],
    ['from=yesterday'],
    ['interval=hour'],
    ['course_id=1'],
    ['format=xml'],
  ])('422 for %s', async (query) => {
    expect(await statusOf(`enrollments?${query}`, {})).toEqual([422, 'validation_failed']);
  });

  test.each(['unknown=1', 'form_id=1', 'from=2026-03-01&from=2026-03-02', 'coupon_id=1'])(
    '400 for %s',
    async (query) => {
      expect(await statusOf(`enrollments?${query}`, {})).toEqual([400, 'invalid_request']);
    },
  );

  test('400 days are answered, and where nothing is asked for the last thirty', async () => {
    expect((await get('revenue?from=2025-01-01&to=2026-02-05')).body.data).toHaveLength(400);
    const { body } = await get('enrollments');
    expect([body.from, body.to, body.data.length]).toEqual(['2026-05-03', '2026-06-02', 30]);
  });

  test('says how far the figures go: complete once what happened after the range has arrived', async () => {
    const { body } = await get(`enrollments?${march}`);
    expect(body).toMatchObject({
      object: 'report',
      name: 'enrollments',
      interval: 'day',
      timezone: 'UTC',
      as_of: on('03-02'),
      complete: false,
      view: 'staff',
    });
    await service.tell(bob.learnt(on('03-03'), 10));
    expect((await get(`enrollments?${march}`)).body).toMatchObject({ as_of: on('03-03'), complete: true });
    expect((await get(`revenue?${march}`)).body).toMatchObject({ as_of: on('03-02'), complete: false });
  });

  test('RFC 4180: as CSV it has a header, the same rows, numbers as numbers, and how far they go', async () => {
    const { status, headers, body } = await get(`revenue?${march}&format=csv`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="revenue.csv"');
    const json = (await get(`revenue?${march}`)).body;
    const cell = (value: unknown): string => String(value ?? '');
    const expected = json.data.map((row: object) =>
      Object.fromEntries(
        Object.entries({ ...row, as_of: json.as_of, complete: json.complete }).map(([name, value]) => [
          name,
          cell(value),
        ]),
      ),
    );
    expect(parse(String(body), { columns: true, record_delimiter: '\r\n' })).toEqual(expected);
    expect(String(body)).toContain(',0,0,1000,-1000,');
    const none = await service.call('GET', '/api/analytics/revenue?format=csv', { as: 'anonymous' });
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  test('there is a path for each report', () => {
    expect(Object.keys((service.started.openapi as { paths: object }).paths).sort()).toEqual(
      [...all, 'drop_off'].map((name) => `/api/analytics/${name}`).sort(),
    );
  });
});

test('503 when the catalog cannot say which courses are the lecturer’s', async () => {
  const service = await startAnalytics({ ports: { ask: async () => Promise.reject(new Error('away')) } });
  const as = { role: 'lecturer', subject: 'account_lecturer' } as const;
  const { status, body } = await service.call('GET', '/api/analytics/enrollments', { as });
  expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
  await service.close();
});

test('a lecturer of many courses names one', async () => {
  const service = await startAnalytics({ teaches: Array.from({ length: 21 }, (_, index) => index) });
  const as = { role: 'lecturer', subject: 'account_lecturer' } as const;
  const { status, body } = await service.call('GET', '/api/analytics/funnel', { as });
  expect([status, body.details?.[0]?.path]).toEqual([422, 'course_id']);
  expect((await service.call('GET', `/api/analytics/funnel?course_id=${course(3)}`, { as })).status).toBe(200);
  await service.close();
});
