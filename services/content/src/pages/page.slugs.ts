import { keysOf } from '@lyceum/kernel';
import type { PageKind } from './page.state.ts';

/** The pages that every school has, and the slug of each. */
export const systemPages = { home: 'home', terms: 'terms', privacy: 'privacy' } as const;

/** A page that every school has. */
export type SystemPage = keyof typeof systemPages;

/** Whether every school has such a page. */
export const isSystemPage = (kind: PageKind): kind is SystemPage => keysOf(systemPages).some((each) => each === kind);

/** Names that people would take for a part of the platform, and those of the pages that every school has. */
const reserved: ReadonlySet<string> = new Set([
  ...'api oauth mcp media well-known docs internal healthz readyz openapi sitemap'.split(' '),
  ...'robots llms pricing auth checkout courses posts events certificates invoices'.split(' '),
  ...'account login logout sign-in sign-up admin forms register registrations feed feeds static assets'.split(' '),
  ...Object.values(systemPages),
]);

/** Whether no page that a school makes may have the slug. */
export const isReservedSlug = (slug: string): boolean => reserved.has(slug);
