import type { Scope } from '@lyceum/contracts';
import { memoized } from '@lyceum/web';
import { z } from 'zod';
import { successBody, rows, bodyIfFound, text } from '../api-result.ts';
import type { Api, Json } from '../../../upstream/school-api.ts';
import { courseCard, courseMarkdown, courseUrl, findCourse } from './course-summary.ts';
import type { ListCursors } from '../list-cursor.ts';
import { richTextMarkdown } from '../../../discovery/text/rich-text-markdown.ts';
import { ToolProblem, reading, tool } from '../tool.ts';
import { card, view, viewOf } from './result-fields.ts';
import { findCourses } from './search-courses.ts';

const id = z.string().min(1).max(300).meta({ description: 'Id, slug or URL of a course' });
const fullCourse = z.looseObject({ id: z.string(), slug: z.string(), title: z.string(), url: z.string() });

/** Courses that are looked up side by side. */
const atOnce = 10;

/** Looks several courses up; what is not there costs no error. */
export const lookupCourses = tool({
  name: 'lookup_courses',
  title: 'Look courses up',
  description: 'Reads up to 50 courses by id, slug or URL. What is not found is named in not_found.',
  input: z.strictObject({ ids: z.array(id).min(1).max(50) }),
  output: z.strictObject({ courses: z.array(card), not_found: z.array(z.string()), view }),
  scopes: ['courses:read'],
  annotations: reading,
  async run({ ids }, call) {
    const { api, caller } = call;
    const { school } = caller;
    const found: (Json | undefined)[] = [];
    for (let at = 0; at < ids.length; at += atOnce)
      found.push(...(await Promise.all(ids.slice(at, at + atOnce).map((each) => findCourse(api, each, school)))));
    return {
      data: {
        courses: found.flatMap((course) => (course ? [courseCard(course, school)] : [])),
        not_found: ids.filter((_, at) => found[at] === undefined),
        view: viewOf(found.find((course) => course)?.['view'], call, 'courses:read'),
      },
    };
  },
});

const parts = ['curriculum', 'lecturers', 'offers', 'reviews', 'description_blocks'] as const;

const scopesOfPart: Readonly<Record<(typeof parts)[number], readonly Scope[]>> = {
  curriculum: ['curriculum:read'],
  lecturers: ['lecturers:read'],
  offers: [],
  reviews: [],
  description_blocks: [],
};

async function partsOf(api: Api, course: Json, wanted: readonly (typeof parts)[number][]): Promise<Json> {
  const { id: courseId, lecturer_ids: lecturers = [] } = course as { id: string; lecturer_ids?: readonly string[] };
  const curriculum = async () => bodyIfFound(await api(`/api/courses/${courseId}/curriculum`)) ?? null;
  const profiles = async () =>
    (await Promise.all(lecturers.map((each) => api(`/api/lecturers/${encodeURIComponent(each)}`)))).flatMap(
      (reply) => bodyIfFound(reply) ?? [],
    );
  return {
    ...(wanted.includes('curriculum') ? { curriculum: await curriculum() } : {}),
    ...(wanted.includes('lecturers') ? { lecturers: await profiles() } : {}),
    ...(wanted.includes('offers') ? { offers: course['prices'] ?? [] } : {}),
    // No service collects reviews yet.
    ...(wanted.includes('reviews') ? { reviews: [] } : {}),
    ...(wanted.includes('description_blocks') ? { description_blocks: course['description'] ?? [] } : {}),
  };
}

/** A course with its address and its description as Markdown, and the answer about it alone: made once for what the services remember themselves. */
const addressed = memoized((course: Json, url: string): Json => {
  const { description } = course;
  return { ...course, ...(description === undefined ? {} : { description: richTextMarkdown(description) }), url };
});
const alone = memoized((course: Json, view: string): Json => ({ course, view: JSON.parse(view) as Json }));

/** Reads one course. */
export const getCourse = tool({
  name: 'get_course',
  title: 'Read a course',
  description:
    'One course in full, by id, slug or URL, with what `include` names. Lessons that need access are named without their content, but for previews. The description is Markdown; description_blocks are its blocks, whole.',
  input: z.strictObject({ id, include: z.array(z.enum(parts)).max(parts.length).default([]) }),
  output: z.strictObject({
    course: fullCourse,
    curriculum: z.looseObject({}).nullable().optional(),
    lecturers: z.array(z.looseObject({})).optional(),
    offers: z.array(z.looseObject({})).optional(),
    reviews: z.array(z.looseObject({})).optional(),
    description_blocks: z.array(z.looseObject({})).optional(),
    view,
  }),
  scopes: ['courses:read'],
  annotations: reading,
  async run({ id: given, include }, call) {
    const { api, caller } = call;
    const { school } = caller;
    const course = await findCourse(api, given, school);
    if (!course) throw new ToolProblem(`There is no course ${given}. search_courses finds courses by words.`);
    const shown = addressed(course, courseUrl(course, school));
    const view = viewOf(course['view'], call, 'courses:read', ...include.flatMap((part) => scopesOfPart[part]));
    if (include.length === 0) return { data: alone(shown, JSON.stringify(view)) };
    return { data: { course: shown, ...(await partsOf(api, course, include)), view } };
  },
});

/** The plain search of research agents: one text item, nothing else. */
export const search = (cursors: ListCursors) =>
  tool({
    name: 'search',
    title: 'Search',
    description: 'Finds courses by words and gives id, title and URL of each; `fetch` reads one.',
    input: z.strictObject({ query: z.string().trim().max(500) }),
    output: z.strictObject({
      results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })),
    }),
    scopes: ['courses:read'],
    annotations: reading,
    async run({ query }, call) {
      const words = query.slice(0, 100).trim();
      const asked = { sort: 'newest' as const, ...(words === '' ? {} : { query: words }) };
      const { courses } = await findCourses(call, asked, { limit: 20, cursor: undefined }, cursors);
      const { school } = call.caller;
      return {
        data: {
          results: courses.map((course) => ({
            id: String(course['id']),
            title: String(course['title']),
            url: courseUrl(course, school),
          })),
        },
      };
    },
  });

/** Reads what `search` found. */
export const fetchOne = tool({
  name: 'fetch',
  title: 'Fetch',
  description: 'Reads one course that `search` found, as text.',
  input: z.strictObject({ id }),
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  scopes: ['courses:read'],
  annotations: reading,
  async run({ id: given }, { api, caller: { school } }) {
    const course = await findCourse(api, given, school);
    if (!course) throw new ToolProblem(`There is no course ${given}. Take an id that search gave.`);
    const metadata = ['category', 'level', 'language', 'access', 'updated_at'].flatMap((field) => {
      const value = text(course, field);
      return value === undefined ? [] : [[field, value] as const];
    });
    return {
      data: {
        id: String(course['id']),
        title: String(course['title']),
        text: courseMarkdown(course, school),
        url: courseUrl(course, school),
        metadata: Object.fromEntries(metadata),
      },
    };
  },
});

/** Reads a lecturer's public profile. */
export const getLecturer = tool({
  name: 'get_lecturer',
  title: 'Read a lecturer',
  description: 'The public profile of a lecturer, by id or slug.',
  input: z.strictObject({ id: z.string().regex(/^[\w-]{1,80}$/) }),
  output: z.strictObject({ lecturer: z.looseObject({}), courses: z.array(card) }),
  scopes: ['lecturers:read', 'courses:read'],
  annotations: reading,
  async run({ id: given }, { api, caller: { school } }) {
    const lecturer = successBody(await api(`/api/lecturers/${given}`), `The lecturer ${given}`);
    const taught = bodyIfFound(
      await api('/api/courses', { query: { lecturer_id: String(lecturer['id']), limit: 50 } }),
    );
    return { data: { lecturer, courses: rows(taught).map((course) => courseCard(course, school)) } };
  },
});
