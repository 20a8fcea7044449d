import { z } from 'zod';
import type { Api } from '../../upstream/school-api.ts';

const page = z.object({
  title: z.string(),
  slug: z.string(),
  blocks: z.array(z.looseObject({ kind: z.string() })),
  seo: z.object({
    title: z.string().nullish(),
    description: z.string().nullish(),
    image: z.string().nullish(),
    noindex: z.boolean().default(false),
  }),
});

const post = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string().nullish(),
  cover: z.string().nullish(),
  author_id: z.string().nullish(),
  tags: z.array(z.string()).default([]),
  visibility: z.string(),
  locked: z.boolean().default(false),
  unlock: z.array(z.string()).default([]),
  body: z.array(z.unknown()).default([]),
  published_at: z.string().nullish(),
});

/** A page of the site as anybody may see it. */
export type PageDetail = z.output<typeof page>;

/** A post as anybody may see it, with the name of its author. */
export type PostDetail = z.output<typeof post> & { readonly author?: string };

/** What is at a slug: a thing, nothing, or that it has another slug now. */
export type Found<Detail> = Detail | { readonly movedTo: string } | undefined;

async function readThing<Detail>(api: Api, path: string, of: z.ZodType<Detail>): Promise<Found<Detail>> {
  const { status, body, header } = await api(path);
  if (status === 404) return undefined;
  const location = header('location');
  if (status === 308 && location !== undefined) return { movedTo: location.slice(location.lastIndexOf('/') + 1) };
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  return of.parse(body);
}

/** Reads a page of the site by its slug. Rejects when nobody can tell. */
export const readPage = (api: Api, slug: string): Promise<Found<PageDetail>> =>
  readThing(api, `/api/pages/${slug}`, page);

const lecturer = z.object({ display_name: z.string() });

/** Reads a post by its slug, with the name of its author, where that can be read. Rejects when nobody can tell. */
export async function readPost(api: Api, slug: string): Promise<Found<PostDetail>> {
  const found = await readThing(api, `/api/posts/${slug}`, post);
  if (!found || 'movedTo' in found || !found.author_id) return found;
  const { status, body } = await api(`/api/lecturers/${found.author_id}`);
  const author = status === 200 ? lecturer.safeParse(body).data?.display_name : undefined;
  return author === undefined ? found : { ...found, author };
}
