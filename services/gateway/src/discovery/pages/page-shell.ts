import type { Look } from '@lyceum/contracts';
import { type StyleOf, pageStyle } from './page-style.ts';

/** Origins from which a page may load what: its policy names them one by one. */
export interface PageSources {
  readonly images: ReadonlySet<string>;
  readonly media: ReadonlySet<string>;
  readonly frames: ReadonlySet<string>;
  /** Whether it sends forms to the school. */
  readonly sendsForms?: boolean;
}

const none: ReadonlySet<string> = new Set();

/** A page that loads nothing from elsewhere. */
export const nothingLoaded: PageSources = { images: none, media: none, frames: none };

/** What of a page without scripts differs from others; all of it is HTML already. */
interface Page {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Further lines of the head. */
  readonly head?: string;
  readonly body: string;
  /** That of the school's own pages when left out. */
  readonly style?: StyleOf;
  /** What it loads from elsewhere; nothing when left out. */
  readonly sources?: PageSources;
}

/** A page without scripts, in the colours of the school, and the header by which nothing else runs or loads in it. */
export function pageShell(
  look: Look | undefined,
  { language, title, head = '', body, style = pageStyle, sources }: Page,
): { readonly html: string; readonly policy: Readonly<Record<string, string>> } {
  const { css, hash } = style(look);
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title}</title>
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return { html, policy: { 'Content-Security-Policy': contentSecurityPolicy(hash, sources) } };
}

/** The policy of a page that has one style sheet, of this hash, and nothing else but what it says: no script, and no form but to the school. */
export function contentSecurityPolicy(hash: string, sources?: PageSources): string {
  const loaded = (directive: string, origins: ReadonlySet<string> | undefined): string =>
    origins && origins.size > 0 ? `${directive} ${[...origins].join(' ')}; ` : '';
  const images = ['data:', ...(sources?.images ?? [])].join(' ');
  const more = loaded('media-src', sources?.media) + loaded('frame-src', sources?.frames);
  return `default-src 'none'; style-src '${hash}'; img-src ${images}; ${more}base-uri 'none'; form-action ${sources?.sendsForms ? "'self'" : "'none'"}; frame-ancestors 'none'`;
}
