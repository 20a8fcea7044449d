import { createHash } from 'node:crypto';
import type { StyleOf } from '../pages/page-style.ts';
import { pageRules, styleOfPages } from '../pages/page-style.ts';

const rules = `${pageRules}
.form form{display:grid;gap:1rem;max-width:36rem}
.form p+form{margin-block:1.25rem}
.form button{font:inherit;font-weight:600;cursor:pointer}
.form label{display:block;font-weight:600}
.form .tick label{display:inline;font-weight:400}
.form input:not([type=checkbox]),.form textarea,.form select{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;border:1px solid var(--quiet);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
.form .trap{position:absolute;inset-inline-start:-200vw}
.problem{padding:.5rem .75rem;border-inline-start:.25rem solid currentcolor;background:var(--inset)}
header nav,footer nav{max-width:60rem;margin:0 auto;padding-inline:clamp(1.25rem,5vw,2.5rem)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding-block:.75rem}
nav a{display:inline-block;min-block-size:1.75rem;color:inherit}
header nav a:hover{color:inherit;text-decoration-thickness:.125em}
header .about,header a{color:inherit}
footer{border-block-start:1px solid var(--line);color:var(--quiet)}
img,video{max-width:100%;block-size:auto}
figure{margin:0;display:grid;gap:.5rem}
figcaption,.about{color:var(--quiet);font-size:.9375rem}
.hero{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));align-items:center}
.hero p{max-width:36rem}
.video iframe,.video video{inline-size:100%;aspect-ratio:16/9;block-size:auto;border:0;background:var(--inset)}
.text table{border-collapse:collapse}
.text th,.text td{padding:.375rem .75rem;border:1px solid var(--line);text-align:start}
details{border-block-end:1px solid var(--line);padding-block:.75rem}
summary{font-weight:600;cursor:pointer;min-block-size:1.75rem}
details .text{margin-block-start:.75rem}
.posts{list-style:none;display:grid;gap:2rem}
.posts h2{margin-block-end:.375rem}
.tags{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem}
.tags li{padding:.125rem .625rem;border:1px solid var(--line);border-radius:1rem;color:var(--quiet);font-size:.875rem}
.locked{padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);display:grid;gap:.75rem}
`;

const siteStyle = styleOfPages(() => rules);

/** The style of the school's site with what the school writes itself behind it: it was judged where it was kept. */
export const siteStyleWith =
  (own: string): StyleOf =>
  (look) => {
    const plain = siteStyle(look);
    // Nothing in a style sheet may end its element.
    if (own === '' || own.includes('</')) return plain;
    const css = `${plain.css}\n${own}`;
    return { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` };
  };
