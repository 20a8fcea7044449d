/** Where the pages and the posts of a school are, and the feed of its posts. */
export const sitePaths = {
  page: (slug: string): string => `/p/${slug}`,
  posts: '/posts',
  post: (slug: string): string => `/posts/${slug}`,
  feed: '/posts.atom',
  sitemap: '/sitemap.xml',
} as const;

const things = /^\/(p|posts)\/([a-z0-9-]{3,80})$/;

/** What a path of the site names: a page or a post by its slug. */
export function thingAt(path: string): { readonly kind: string | undefined; readonly slug: string } {
  const [, kind, slug = ''] = things.exec(path) ?? [];
  return { kind, slug };
}

/** Whether a path is one of the site. */
export const isOfSite = (path: string): boolean =>
  path === sitePaths.posts || path === sitePaths.feed || path === sitePaths.sitemap || things.test(path);
