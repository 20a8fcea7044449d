import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { type Message, memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { enrollment, startAnalytics } from '../testing.ts';

const messageOf = (source: string, position: number, at: string, type: string, data: object): Message => ({
  source,
  lane: 0,
  position,
  previous: position - 1,
  tenant: 'school_1',
  at,
  facts: [{ id: `${source} ${position}`, type, schema: 1, subject: 's', version: position, data }],
});

test('nothing is counted before the time zone of its school is known, however late the school service answers', async () => {
  const channel = memoryChannel();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const provisioned = {
    slug: 's',
    name: 'S',
    host: 'h',
    base_url: '',
    currency: 'JPY',
    locale: 'ja',
    timezone: 'Asia/Tokyo',
  };
  const school = [messageOf('school', 1, '2026-01-01T00:00:00.000Z', 'SchoolProvisioned', provisioned)];
  // The 2nd of March in UTC, and the 3rd in Tokyo.
  const told = enrollment('ada', 1).activated('2026-03-02T20:00:00.000Z');
  const learning = [messageOf('learning', 1, told.at, told.type, told.data)];
  channel.offer('school', 1, async (_lane, after) => {
    await answered;
    return school.slice(after);
  });
  channel.offer('learning', 1, async (_lane, after) => learning.slice(after));
  for (const source of ['catalog', 'commerce', 'content']) channel.offer(source, 1, async () => []);
  const documents = memoryDocuments();
  const starting = startAnalytics({ ports: { channel, documents } });
  expect(await Promise.race([starting, pause(300, 'it waits')])).toBe('it waits');
  answer();
  const service = await starting;
  try {
    const days = await service.rows('enrollments?from=2026-03-02&to=2026-03-04');
    expect(days.map(({ date, enrolled }) => [date, enrolled])).toEqual([
      ['2026-03-02', 0],
      ['2026-03-03', 1],
    ]);
    expect((await service.rows('revenue?from=2026-03-02&to=2026-03-03'))[0]).toMatchObject({
      currency: 'JPY',
      gross: 0,
    });
  } finally {
    await service.close();
    await channel.close();
  }
});
