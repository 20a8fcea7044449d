import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Json } from '../../upstream/school-api.ts';
import { successBody, rows, bodyIfFound } from '../tools/api-result.ts';
import { courseCard, courseMarkdown, findCourse } from '../tools/reading/course-summary.ts';
import { markdownText } from '../../discovery/text/markdown.ts';
import { listOf } from '../../discovery/text/rich-text-blocks.ts';
import { richTextMarkdown } from '../../discovery/text/rich-text-markdown.ts';
import type { Document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { CallContext } from '../server/server-definition.ts';

/** A document of the school by its path; undefined where the gateway has none. */
export type DocumentAt = (school: School, path: string) => Document | Promise<Document> | undefined;

const json = 'application/json';
const markdown = 'text/markdown';

/** The resources that every school has. */
export const resourceList = {
  resources: [
    {
      uri: 'school://catalog',
      name: 'catalog',
      title: 'Catalogue',
      description: 'Courses of the school',
      mimeType: json,
    },
    {
      uri: 'school://pricing',
      name: 'pricing',
      title: 'Prices',
      description: 'What the school sells',
      mimeType: markdown,
    },
    {
      uri: 'school://llms',
      name: 'llms',
      title: 'Index for agents',
      description: 'Where everything is',
      mimeType: markdown,
    },
  ],
};

const template = (kind: string, title: string) => ({
  uriTemplate: `school://${kind}/{slug}`,
  name: kind,
  title,
  description: `${title}, by slug: JSON and Markdown`,
});

/** The kinds of resource that are addressed by a slug. */
export const resourceTemplates = {
  resourceTemplates: [
    template('courses', 'A course'),
    template('lecturers', 'A lecturer'),
    template('membership-plans', 'A membership plan'),
    template('posts', 'A post'),
    template('pages', 'A page of the site'),
  ],
};

interface Content {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

const both = (uri: string, body: Json, words: string): Content[] => [
  { uri, mimeType: json, text: JSON.stringify(body) },
  { uri, mimeType: markdown, text: words },
];

/** Where the API has what is addressed by a slug. */
const paths: Readonly<Record<string, string>> = {
  lecturers: '/api/lecturers',
  'membership-plans': '/api/membership_plans',
  posts: '/api/posts',
  pages: '/api/pages',
};

/** What there is to read of a thing, as Markdown: its name, and its text where it has one that is for the caller. */
function wordsOf(found: Json, slug: string): string {
  const parts = [`# ${markdownText(String(found['name'] ?? found['title'] ?? slug))}`];
  if (typeof found['excerpt'] === 'string') parts.push(markdownText(found['excerpt']));
  if (found['body'] !== undefined) parts.push(richTextMarkdown(found['body']));
  for (const { kind, text, heading } of listOf<Json>(found['blocks'])) {
    if (kind === 'hero' && typeof heading === 'string') parts.push(`## ${markdownText(heading)}`);
    if (kind === 'text') parts.push(richTextMarkdown(text));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

async function byPath(uri: string, kind: string, slug: string, { api, caller: { school } }: CallContext) {
  if (kind === 'courses') {
    const course = await findCourse(api, slug, school);
    return course && both(uri, course, courseMarkdown(course, school));
  }
  const path = Object.hasOwn(paths, kind) ? paths[kind] : undefined;
  const found = path === undefined ? undefined : bodyIfFound(await api(`${path}/${slug}`));
  return found && both(uri, found, wordsOf(found, slug));
}

const textAt = async (document: DocumentAt, school: School, path: string): Promise<string | undefined> =>
  (await document(school, path))?.body.toString();

async function fixed(uri: string, call: CallContext, document: DocumentAt): Promise<Content[] | undefined> {
  const { api, caller } = call;
  const { school } = caller;
  if (uri === 'school://catalog') {
    const toolListing = successBody(await api('/api/courses', { query: { limit: 100 } }), 'The catalogue');
    const courses = rows(toolListing).map((course) => courseCard(course, school));
    return [{ uri, mimeType: json, text: JSON.stringify({ courses, has_more: toolListing['has_more'] === true }) }];
  }
  if (uri === 'school://pricing') {
    const later = `# Prices of ${school.name}\n\nThey cannot be read at the moment: ${school.baseUrl}/pricing.md\n`;
    return [{ uri, mimeType: markdown, text: (await textAt(document, school, '/pricing.md')) ?? later }];
  }
  if (uri !== 'school://llms') return undefined;
  const index = `# ${school.name}\n\n- [API](${school.baseUrl}/openapi.json)\n- [MCP server](${school.baseUrl}/mcp)\n`;
  return [{ uri, mimeType: markdown, text: (await textAt(document, school, '/llms.txt')) ?? index }];
}

/** Reads a resource. What is not there, or is not for the caller's eyes, is not found. */
export async function readResource(
  { uri }: { readonly uri?: string },
  call: CallContext,
  document: DocumentAt,
): Promise<{ contents: Content[] }> {
  const address = String(uri);
  const [, kind, slug] = /^school:\/\/([a-z-]{1,40})\/([a-z0-9-]{1,80})$/.exec(address) ?? [];
  const contents =
    kind !== undefined && slug !== undefined
      ? await byPath(address, kind, slug, call)
      : await fixed(address, call, document);
  if (!contents) throw new ResourceNotFoundError(address);
  return { contents };
}
