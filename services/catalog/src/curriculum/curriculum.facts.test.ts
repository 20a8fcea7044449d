import { expect, test } from '@jest/globals';
import { type CurriculumEvent } from './curriculum.events.ts';
import { curriculumFact } from './curriculum.facts.ts';

const course_id = 'course_1';
const release = { type: 'after_days', days: 3 } as const;

const factOf = ({ type, data }: CurriculumEvent) =>
  curriculumFact({ id: 'event_1', stream: 'curriculum_1', version: 1, schema: 1, type, data });

test('others hear where sections and lessons stand and what sections wait for, of drafts nothing but ids', () => {
  const section = { section_id: 'section_1', release, position: 2 };
  expect(factOf({ type: 'SectionAdded', data: { ...section, title: 'Secret' } })).toEqual({
    type: 'SectionAdded',
    data: { course_id, ...section },
  });
  const place = { lesson_id: 'lesson_1', section_id: 'section_1', position: 0 };
  const fields = {
    title: 'Secret',
    type: 'text',
    duration_s: 0,
    preview: false,
    required: true,
    pass_mark: null,
    release,
    body: [],
    embed_url: null,
    file: null,
    quiz: null,
  } as const;
  expect(factOf({ type: 'LessonAdded', data: { ...place, fields: { ...fields, body: [] } } })).toEqual({
    type: 'LessonAdded',
    data: { course_id, ...place },
  });
  const tree = [{ id: 'section_1', lessons: ['lesson_1'] }];
  expect(factOf({ type: 'CurriculumReordered', data: { tree } })).toEqual({
    type: 'CurriculumReordered',
    data: { course_id, tree },
  });
  for (const event of [
    { type: 'SectionReleaseSet', data: { section_id: 'section_1', release } },
    { type: 'SectionRemoved', data: { section_id: 'section_1' } },
  ] as const)
    expect(factOf(event)).toEqual({ type: event.type, data: { course_id, ...event.data } });
  expect(factOf({ type: 'SectionRenamed', data: { section_id: 'section_1', title: 'Secret' } })).toBeUndefined();
});
