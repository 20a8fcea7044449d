import type { Offer } from '../../../discovery/content/offers.ts';
import { priceOf } from '../../../discovery/metadata/pricing-md.ts';
import type { School } from '../../../routing/school.ts';
import { type Json, type Api } from '../../../upstream/school-api.ts';
import { listIn, text } from '../api-result.ts';
import { richTextMarkdown } from '../../../discovery/text/rich-text-markdown.ts';

/** A course as search results show it. */
export function courseCard(course: Json, school: School): Json {
  const prices = listIn(course, 'prices');
  const price = prices[0];
  const staff = course['status'] === undefined ? {} : { status: course['status'], counts: course['stats'] ?? null };
  return {
    id: course['id'],
    slug: course['slug'],
    title: course['title'],
    summary: text(course, 'summary') ?? null,
    url: courseUrl(course, school),
    access: text(course, 'access') ?? null,
    price: price ? { amount: price['amount'], currency: price['currency'] } : null,
    category: text(course, 'category') ?? null,
    level: text(course, 'level') ?? null,
    language: text(course, 'language') ?? null,
    lecturers: course['lecturer_ids'] ?? [],
    lesson_count: course['lesson_count'] ?? 0,
    duration_min: Math.round(Number(course['duration_s'] ?? 0) / 60),
    ...staff,
  };
}

/** Where a course is read without signing in. */
export const courseUrl = (course: Json, { baseUrl }: School): string =>
  `${baseUrl}/api/courses/${String(course['slug'])}`;

const reference = /^(?:course_[0-9a-f-]{36}|[a-z0-9-]{3,80})$/;

/** The id or slug in an id, a slug or a URL of this school; undefined when it names no course. */
function courseReference(given: string, { baseUrl }: School): string | undefined {
  const name = given.startsWith(`${baseUrl}/`) ? given.slice(given.lastIndexOf('/') + 1) : given;
  const plain = name.replace(/^school:\/\/courses\//, '');
  return reference.test(plain) ? plain : undefined;
}

/** One course as the caller sees it, also by a former slug; undefined when there is none. */
export async function findCourse(api: Api, given: string, school: School): Promise<Json | undefined> {
  const name = courseReference(given, school);
  if (name === undefined) return undefined;
  let reply = await api(`/api/courses/${name}`);
  const moved = reply.status === 308 ? reply.header('location') : undefined;
  if (moved?.startsWith('/api/courses/')) reply = await api(moved);
  return reply.status === 200 ? reply.body : undefined;
}

type Prices = Offer['prices'];

/** A course in words. */
export function courseMarkdown(course: Json, school: School): string {
  const card = courseCard(course, school);
  return [
    `# ${String(course['title'])}`,
    text(course, 'subtitle') ?? '',
    text(course, 'summary') ?? '',
    richTextMarkdown(course['description']),
    `- Price: ${priceOf({ prices: (course['prices'] ?? []) as Prices, access: text(course, 'access') ?? 'free' })}`,
    `- Lessons: ${String(card['lesson_count'])}, ${String(card['duration_min'])} minutes`,
    `- URL: ${String(card['url'])}`,
  ]
    .filter((line) => line !== '')
    .join('\n\n');
}
