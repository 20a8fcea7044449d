import { type Look, derivePalettes, palettes } from '@lyceum/contracts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { type Document, document, jsonDocument } from '../../http/document.ts';
import { htmlText } from '../text/html-text.ts';

const css = `
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;display:flex;flex-direction:column;height:100vh;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color:#17211e;background:#fff}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.75rem 1.25rem;border-bottom:1px solid #e0e5e1}
h1{font-size:1.0625rem;margin:0 auto 0 0}
h1 a{color:inherit;text-decoration:none}
#status{margin:0;font-size:.875rem;color:#55625d}
button{min-height:2.75rem;padding:.375rem 1rem;border:1px solid #7c8984;border-radius:.5rem;background:#fff;color:#17211e;font:inherit;font-weight:600;cursor:pointer}
button:hover{background:#f2f4f1}
[hidden]{display:none}
.reference{flex:1;min-height:0}
openapi-explorer{display:block;height:100%;--blue:#0b6fc2}
openapi-explorer::part(label-operation-method){color:#17211e}
`;

/** The renderer's own are too faint to read. The landmark `main` is its own too. */
const colours = Object.entries({
  'text-color': '#17211e',
  'secondary-color': '#17211e',
  'nav-bg-color': '#f2f4f1',
  'nav-text-color': '#17211e',
  'nav-hover-bg-color': '#e0e5e1',
  'nav-hover-text-color': '#17211e',
})
  .map(([name, colour]) => `${name}="${colour}"`)
  .join(' ');

/** The renderer writes styles of its own, with the colours of the school in them; scripts come from here alone. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference of a school, on which a person can sign in and try each operation. */
export function referencePage({ name }: Site, look: Look | undefined): Document {
  const { accent } = (look ? derivePalettes(look) : palettes).light;
  const shown = htmlText(name);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${shown}</title>
<link rel="icon" href="data:,">
<style>${css}</style>
<script src="/docs/explorer.js" type="module"></script>
<script src="/docs/sign-in.js" type="module"></script>
</head>
<body>
<header>
<h1><a href="/"><bdi>${shown}</bdi></a> · API reference</h1>
<p id="status" role="status">Requests are sent without a token.</p>
<button id="enter" type="button">Sign in for this operation</button>
<button id="out" type="button" hidden>Sign out</button>
</header>
<div class="reference">
<openapi-explorer spec-url="/openapi.json" hide-authentication hide-server-selection primary-color="${accent}" ${colours}></openapi-explorer>
<noscript><p>The reference needs JavaScript. The same as a document: <a href="/openapi.json">openapi.json</a>, <a href="/auth.md">auth.md</a>.</p></noscript>
</div>
</body>
</html>
`;
  return document('text/html; charset=utf-8', html, {
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
  });
}

/**
 * How the reference introduces itself where the school is at https.
 * @see draft-ietf-oauth-client-id-metadata-document-02 §4
 */
export const referenceClient = ({ baseUrl, name }: Site): Document =>
  jsonDocument({
    client_id: `${baseUrl}/docs/client.json`,
    client_name: `API reference of ${name}`,
    client_uri: `${baseUrl}/docs`,
    redirect_uris: [`${baseUrl}/docs/callback`],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  });
