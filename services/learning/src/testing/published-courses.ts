/** Courses of school_1, by what is special about them. */
export const courseIds = {
  free: 'course_00000000-0000-7000-8000-000000000001',
  paid: 'course_00000000-0000-7000-8000-000000000002',
  limited: 'course_00000000-0000-7000-8000-000000000003',
  seats: 'course_00000000-0000-7000-8000-000000000004',
  later: 'course_00000000-0000-7000-8000-000000000005',
  over: 'course_00000000-0000-7000-8000-000000000006',
  unpublished: 'course_00000000-0000-7000-8000-000000000007',
  archived: 'course_00000000-0000-7000-8000-000000000008',
  draft: 'course_00000000-0000-7000-8000-000000000009',
  none: 'course_00000000-0000-7000-8000-000000000010',
  taught: 'course_00000000-0000-7000-8000-000000000011',
  quizzed: 'course_00000000-0000-7000-8000-000000000012',
} as const;

/** A course, by what is special about it. */
export type Course = keyof typeof courseIds;

const shown = (course: Course, more: object = {}) => ({
  type: 'CourseShown',
  data: {
    course_id: courseIds[course],
    slug: course,
    title: course,
    summary: null,
    access: 'free',
    listed: true,
    prices: [],
    seat_limit: null,
    lecturer_ids: [],
    access_days: null,
    ...more,
  },
});

const about = (type: string, course: Course, more: object = {}) => ({
  type,
  data: { course_id: courseIds[course], ...more },
});

const immediate = { type: 'immediate' };

/** A section of the course that has lessons. */
const section = (section_id: string, position: number, release: object = immediate) =>
  about('SectionAdded', 'taught', { section_id, position, release });

/** A lesson of the course that has some, as the catalog publishes it. */
export const lessonFact = (type: 'LessonPublished' | 'LessonChanged', lesson_id: string, more: object = {}) =>
  about(type, 'taught', {
    lesson_id,
    title: `Title of ${lesson_id}`,
    type: 'text',
    duration_s: 0,
    preview: false,
    required: true,
    pass_mark: null,
    release: immediate,
    ...more,
  });

const lesson = (lesson_id: string, section_id: string, position: number, more?: object) => [
  about('LessonAdded', 'taught', { lesson_id, section_id, position }),
  ...(more ? [lessonFact('LessonPublished', lesson_id, more)] : []),
];

/** The course that has lessons: five that count, one that does not, and a draft. */
const taught = [
  shown('taught'),
  section('section_late', 0, { type: 'after_days', days: 7 }),
  section('section_first', 0),
  section('section_last', 2, { type: 'after_lesson', lesson_id: 'lesson_film' }),
  ...lesson('lesson_extra', 'section_first', 0, { required: false }),
  ...lesson('lesson_film', 'section_first', 0, { type: 'video', duration_s: 600 }),
  ...lesson('lesson_draft', 'section_first', 2),
  ...lesson('lesson_late', 'section_late', 0, {}),
  ...lesson('lesson_quiz', 'section_last', 0, { type: 'quiz', pass_mark: 50 }),
  ...lesson('lesson_after', 'section_last', 1, { release: { type: 'after_lesson', lesson_id: 'lesson_extra' } }),
  ...lesson('lesson_preview', 'section_last', 2, { preview: true }),
];

/** The course that is completed by its one quiz, and earns a certificate. */
const quizzed = [
  shown('quizzed'),
  about('SectionAdded', 'quizzed', { section_id: 'section_exam', position: 0, release: immediate }),
  ...(['exam', 'practice'] as const).flatMap((name, position) => [
    about('LessonAdded', 'quizzed', { lesson_id: `lesson_${name}`, section_id: 'section_exam', position }),
    about('LessonPublished', 'quizzed', {
      lesson_id: `lesson_${name}`,
      title: name,
      type: 'quiz',
      duration_s: 0,
      preview: false,
      required: name === 'exam',
      pass_mark: name === 'exam' ? 50 : null,
      release: immediate,
    }),
  ]),
];

/** The quizzes of lessons as the catalog gives them to the service that grades them. */
export const quizzes: Readonly<Record<string, object>> = Object.fromEntries(
  [
    ['lesson_exam', 50, 3],
    ['lesson_quiz', 50, 3],
    ['lesson_practice', null, null],
  ].map(([lesson, pass_mark, max_attempts]) => [
    lesson,
    {
      version: 7,
      pass_mark,
      max_attempts,
      questions: [
        { id: 'q1', choices: ['a', 'b'], answers: ['b'] },
        { id: 'q2', choices: ['a', 'b', 'c'], answers: ['a', 'c'] },
        { id: 'q3', choices: ['a', 'b'], answers: ['a'] },
      ],
    },
  ]),
);

/** What the catalog has published before a test. */
export const catalogFacts = [
  ...taught,
  ...quizzed,
  shown('free'),
  shown('paid', { access: 'paid' }),
  shown('limited', { access_days: 10 }),
  shown('seats', { seat_limit: 3 }),
  shown('later'),
  about('EnrollmentPeriodSet', 'later', { opens_at: '2126-01-01T00:00:00.000Z', closes_at: null }),
  shown('over'),
  about('EnrollmentPeriodSet', 'over', { closes_at: '2020-01-01T00:00:00.000Z' }),
  shown('unpublished'),
  about('CourseUnpublished', 'unpublished'),
  shown('archived'),
  about('CourseUnpublished', 'archived'),
  about('CourseArchived', 'archived'),
  about('EnrollmentPeriodSet', 'draft', { opens_at: null }),
];
