import { type Look, type Palette, type Typography, derivePalettes, palettes } from '@lyceum/contracts';
import { createHash } from 'node:crypto';

const system = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';
const typefaces: Readonly<Record<Typography, { readonly body: string; readonly title: string }>> = {
  system: { body: system, title: system },
  humanist: {
    body: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",sans-serif',
    title: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",sans-serif',
  },
  serif: { body: system, title: '"Iowan Old Style","Palatino Linotype",Palatino,P052,Georgia,"DejaVu Serif",serif' },
  rounded: {
    body: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Calibri,sans-serif',
    title: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Calibri,sans-serif',
  },
};

/** The rules of the school's own pages. */
export const pageRules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 var(--body);overflow-wrap:anywhere}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}
h1,h2,h3{font-family:var(--title);line-height:1.2;text-wrap:balance}
a{color:var(--accent);text-underline-offset:.2em}
a:hover{color:var(--accent-strong)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.25rem}
main:focus{outline:none}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;padding:.75rem 1.25rem;border-radius:.5rem;background:var(--accent);color:var(--on-accent)}
.skip:focus{top:1rem}
header{background:var(--band);color:var(--on-band)}
header>div,main{max-width:60rem;margin:0 auto;padding-inline:clamp(1.25rem,5vw,2.5rem)}
header>div{padding-block:clamp(3rem,12vh,7rem) clamp(2.5rem,9vh,5rem)}
h1{font-size:clamp(2rem,6vw,3.25rem);font-weight:650;letter-spacing:-.02em}
header p{margin-block-start:.75rem;max-width:36rem;font-size:1.125rem}
main{padding-block:clamp(2rem,6vh,3.5rem) 4rem;display:grid;gap:clamp(2.5rem,7vh,4rem)}
h2{font-size:1.375rem;font-weight:650;margin-block-end:1.25rem}
.courses{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem}
.courses li{display:flex;flex-direction:column;gap:.5rem;padding:1.375rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
.courses h3{font-size:1.125rem;font-weight:650}
.courses p{color:var(--quiet);font-size:.9375rem}
.courses .price{margin-block-start:auto;padding-block-start:.625rem;color:var(--ink);font-weight:600}
.courses h3 a{color:inherit}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,12rem),1fr));gap:1rem 2rem;margin-block-end:1.25rem}
.facts dt{color:var(--quiet);font-size:.875rem}
.facts dd{font-weight:600}
.back a{color:inherit}
.people,.lessons{display:grid;gap:.5rem;padding-inline-start:1.25rem;margin:0}
.people{list-style:none;padding:0}
.people span,.lessons span{color:var(--quiet);font-size:.9375rem}
#outline~h3{font-size:1.0625rem;margin-block:1.25rem .5rem}
.text{display:grid;gap:1rem;max-width:40rem}
.text ul,.text ol{padding-inline-start:1.25rem}
.text blockquote{margin:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line)}
.text pre{margin:0;padding:1rem;overflow:auto;background:var(--inset);border-radius:.5rem}
.places{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:0 2rem;border-block-start:1px solid var(--line)}
.places>div{padding-block:.75rem;border-block-end:1px solid var(--line)}
.places a{display:inline-block;min-block-size:1.75rem;font-weight:600}
.places dd{color:var(--quiet);font-size:.9375rem}
.help{max-width:40rem;display:grid;gap:.75rem}
.help h2{margin-block-end:0}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:.5rem}
.button{display:inline-block;min-block-size:2.75rem;padding:.625rem 1.25rem;border:1px solid var(--edge);border-radius:.625rem;color:var(--ink);font-weight:600;text-decoration:none}
.button:hover{background:var(--inset);color:var(--ink)}
.button.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.button.primary:hover{border-color:var(--accent-strong);background:var(--accent-strong);color:var(--on-accent)}
code{font:.875em/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
`;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The colours of a palette, as the rules use them. */
export const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${kebab(name)}:${colour};`)
    .join('');

/** A style sheet and its hash, as a content security policy writes it. */
export interface PageStyle {
  readonly css: string;
  readonly hash: string;
}

/** What a page looks like in the school's own colours and fonts; ours until it chose any. */
export type StyleOf = (look: Look | undefined) => PageStyle;

/** The styles of one kind of page, each made once. `rulesOf`: its rules, which may need colours of their own. */
export function styleOfPages(rulesOf: (colours: { readonly light: Palette }) => string): StyleOf {
  const known = new WeakMap<Look, PageStyle>();
  const plain = makeStyle(undefined, rulesOf);
  return (look) => {
    if (!look) return plain;
    const found = known.get(look) ?? makeStyle(look, rulesOf);
    known.set(look, found);
    return found;
  };
}

function makeStyle(look: Look | undefined, rulesOf: Parameters<typeof styleOfPages>[0]): PageStyle {
  const { light, dark } = look ? derivePalettes(look) : palettes;
  const mode = look?.dark_mode ?? 'auto';
  const { body, title } = typefaces[look?.typography ?? 'system'];
  const colours =
    mode === 'auto'
      ? `:root{color-scheme:light dark;${variables(light)}}\n@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`
      : `:root{color-scheme:${mode};${variables(mode === 'dark' ? dark : light)}}`;
  const css = `${colours}\n:root{--body:${body};--title:${title}}${rulesOf({ light })}`;
  return { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` };
}

/** The style of the school's own pages. */
export const pageStyle = styleOfPages(() => pageRules);
