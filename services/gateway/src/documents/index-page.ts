import { wellKnownPaths } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import type { Site } from './discovery.ts';
import { type Document, document } from './document.ts';

const style = `
:root { color-scheme: light dark; --ink: #1d2530; --soft: #5b6675; --paper: #fbfaf7; --line: #e3dfd6; --link: #1c5d8c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --soft: #a2a9b3; --paper: #16191d; --line: #2c3138; --link: #8cc4ee; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: clamp(2rem, 8vh, 6rem) 1.5rem; }
h1 { margin: 0 0 .5rem; font: 600 clamp(1.6rem, 5vw, 2.2rem)/1.2 ui-serif, Georgia, serif; overflow-wrap: anywhere; }
p { margin: 0 0 2rem; color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
a { color: var(--link); text-underline-offset: .2em; }
li { padding: .8rem 0; border-bottom: 1px solid var(--line); }
small { display: block; color: var(--soft); overflow-wrap: anywhere; }
`;

const csp = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

const links = (site: Site): readonly (readonly [url: string, title: string])[] => [
  [`${site.baseUrl}/api/courses`, 'Courses'],
  [`${site.baseUrl}/openapi.json`, 'API description'],
  [site.baseUrl + wellKnownPaths.authorizationServer, 'Authorization server'],
  [site.baseUrl + wellKnownPaths.openidConfiguration, 'OpenID Connect'],
  [site.baseUrl + wellKnownPaths.protectedResource, 'Protected resource'],
  [site.docsUrl, 'Documentation'],
];

const item = ([url, title]: readonly [string, string]): string =>
  `<li><a href="${escape(url)}">${title}</a><small>${escape(url)}</small></li>`;

/** What a person sees who opens the school's address in a browser: its name and where everything is. No script. */
export const indexPage = (site: Site): Document =>
  document(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(site.name)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(site.name)}</h1>
<p>This is the API of the school. Courses can be read without signing in.</p>
<ul>
${links(site).map(item).join('\n')}
</ul>
</main>
</body>
</html>
`,
    {
      'Content-Security-Policy': csp,
      Link: `<${site.baseUrl}/openapi.json>; rel="service-desc", <${encodeURI(site.docsUrl)}>; rel="service-doc"`,
    },
  );
