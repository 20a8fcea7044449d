import { describe, expect, test } from '@jest/globals';
import { fileReferenceOf, isFileId, referenceEvents } from './file-references.ts';

const [one, two] = ['upload_00000000-0000-7000-8000-000000000001', 'upload_00000000-0000-7000-8000-000000000002'];

describe('the files that a thing names', () => {
  test('are referenced when it begins to name them, and released when it ends, each once', () => {
    expect(referenceEvents([], [one, one, null, undefined])).toEqual([
      { type: 'FileReferenced', data: { file_id: one } },
    ]);
    expect(referenceEvents([one, two], [two], 'lesson_1')).toEqual([
      { type: 'FileReleased', data: { file_id: one, holder_id: 'lesson_1' } },
    ]);
    expect(referenceEvents([one], [one])).toEqual([]);
  });

  test('are those of the media service: what was named before there were files is none', () => {
    expect(referenceEvents(['file_1'], ['demo-templates', 'https://example.org/a.png'])).toEqual([]);
    for (const text of ['upload_', 'upload_..', 'upload_a/b', 'xupload_1', 7, null]) expect(isFileId(text)).toBe(false);
  });

  test('are those of the thing that the stream is of, unless the event says another', () => {
    const recorded = { id: 'e1', stream: 'course_1', version: 1, schema: 1 };
    const about = (data: object) => fileReferenceOf({ ...recorded, type: 'FileReleased', data })?.data;
    expect(about({ file_id: one })).toEqual({ file_id: one, holder_id: 'course_1' });
    expect(about({ file_id: one, holder_id: 'lesson_1' })).toEqual({ file_id: one, holder_id: 'lesson_1' });
    expect(fileReferenceOf({ ...recorded, type: 'CourseCreated', data: {} })).toBeUndefined();
  });
});
