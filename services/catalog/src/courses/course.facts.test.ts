import { describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { catalogFacts } from '@lyceum/contracts';
import { startCatalog } from '../testing.ts';

describe('what other services hear', () => {
  test('is that a course became public or is not any more, and nothing of drafts', async () => {
    const catalog = await startCatalog();
    const heard: Message[] = [];
    const subscribed = catalog.channel.subscribe({
      consumer: 'test',
      source: 'catalog',
      from: async () => 0,
      handle: async (message) => void heard.push(message),
    });
    try {
      await catalog.create({ title: 'Silent draft', internal_note: 'private' });
      const course = await catalog.create({
        title: 'Loud',
        lecturer_ids: ['lecturer_1'],
        listing: 'unlisted',
        internal_note: 'private',
      });
      const at = `/api/courses/${course.id}`;
      for (const what of ['publish', 'unpublish', 'publish']) await catalog.call('POST', `${at}/${what}`);
      await catalog.call('PATCH', at, { body: { title: 'Louder', internal_note: 'still private' } });
      await catalog.call('PATCH', at, { body: { internal_note: 'private again' } });
      await catalog.call('POST', `${at}/archive`);
      await subscribed.caughtUp();
      const facts = heard.flatMap((message) => message.facts).filter(({ type }) => type.startsWith('Course'));
      const course_id = course.id;
      const published = { course_id, slug: 'loud', title: 'Loud', access: 'free', listed: false };
      const { course_id: _id, ...shownToo } = published;
      const sold = { prices: [], seat_limit: null, lecturer_ids: ['lecturer_1'], access_days: null };
      const shown = { course_id, ...shownToo, summary: null, ...sold };
      expect(facts.map(({ type, data }) => [type, data])).toEqual([
        ['CoursePublished', published],
        ['CourseShown', shown],
        ['CourseUnpublished', { course_id }],
        ['CoursePublished', published],
        ['CourseShown', shown],
        ['CourseShown', { ...shown, title: 'Louder' }],
        ['CourseUnpublished', { course_id }],
        ['CourseArchived', { course_id }],
      ]);
      for (const { type, data, subject } of facts) {
        expect(subject).toBe(course_id);
        expect(() => catalogFacts[type as keyof typeof catalogFacts].data.parse(data)).not.toThrow();
      }
      expect(heard.map(({ tenant }) => tenant)).toEqual(heard.map(() => 'school_1'));
    } finally {
      await subscribed.close();
      await catalog.close();
    }
  });
});
