import type { Look } from '@lyceum/contracts';
import { type StyleOf, pageStyle } from './page-style.ts';

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
}

/** A page without scripts, in the colours of the school, and the header by which nothing else runs or loads in it. */
export function pageShell(
  look: Look | undefined,
  { language, title, head = '', body, style = pageStyle }: Page,
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
  return { html, policy: { 'Content-Security-Policy': contentSecurityPolicy(hash) } };
}

/** The policy of a page that has one style sheet, of this hash, and nothing else: no script, no form, no frame. */
export const contentSecurityPolicy = (hash: string): string =>
  `default-src 'none'; style-src '${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
