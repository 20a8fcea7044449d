import { expect, test } from '@jest/globals';
import { form, on, startAnalytics, submission } from '../testing.ts';

const [welcome, doubtful, advert, other] = [
  submission('submission_w', 1),
  submission('submission_d', 1),
  submission('submission_a', 1),
  submission('submission_o', 2),
] as const;

/** Three by one form on the first of March and one by another; what is spam is found on three days, and is corrected. */
const facts = [
  welcome.sent(on('03-01')),
  doubtful.sent(on('03-01'), 'received'),
  advert.sent(on('03-01'), 'spam'),
  other.sent(on('03-01'), 'spam'),
  doubtful.spam(on('03-02')),
  advert.accepted(on('03-02')),
  welcome.accepted(on('03-02')),
  other.deleted(on('03-03')),
  advert.spam(on('03-03')),
];

async function shown(path: string, told = facts) {
  const service = await startAnalytics({ facts: told });
  try {
    const rows = await service.rows(`forms?${path}`);
    return rows.map(({ date, submissions, spam, restored, spam_bp }) => [date, submissions, spam, restored, spam_bp]);
  } finally {
    await service.close();
  }
}

test('worked example: submissions, and spam on the day on which it was found, which days that are over do not feel', async () => {
  expect(await shown('from=2026-03-01&to=2026-03-04')).toEqual([
    ['2026-03-01', 4, 2, 0, 5_000],
    ['2026-03-02', 0, 1, 1, null],
    ['2026-03-03', 0, 1, 0, null],
  ]);
  // 2 of the first day, 1 more, 1 fewer, 1 more: 3 of 4.
  expect(await shown('from=2026-03-01&to=2026-03-31&interval=month')).toEqual([['2026-03-01', 4, 4, 1, 7_500]]);
  const first = await shown('from=2026-03-01&to=2026-03-02', facts.slice(0, 4));
  expect(await shown('from=2026-03-01&to=2026-03-02')).toEqual(first);
});

test('a form has rows of its own, one that nothing came by has noughts', async () => {
  const month = 'from=2026-03-01&to=2026-03-31&interval=month';
  expect(await shown(`${month}&form_id=${form(1)}`)).toEqual([['2026-03-01', 3, 3, 1, 6_667]]);
  expect(await shown(`${month}&form_id=${form(2)}`)).toEqual([['2026-03-01', 1, 1, 0, 10_000]]);
  expect(await shown(`${month}&form_id=${form(3)}`)).toEqual([['2026-03-01', 0, 0, 0, null]]);
});

test('what is judged on a later day than it came can be more than came, and never less than nothing', async () => {
  const told = [
    advert.sent(on('03-01'), 'spam'),
    doubtful.sent(on('03-01'), 'received'),
    welcome.sent(on('03-02')),
    advert.accepted(on('03-02')),
    other.sent(on('03-03')),
    advert.spam(on('03-03')),
    doubtful.spam(on('03-03')),
  ];
  expect(await shown('from=2026-03-02&to=2026-03-04', told)).toEqual([
    ['2026-03-02', 1, 0, 1, 0],
    ['2026-03-03', 1, 2, 0, 20_000],
  ]);
});
