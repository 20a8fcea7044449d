import type { DarkMode, Palette, Typography } from '@lyceum/contracts';

interface Colours {
  readonly light: Palette;
  readonly dark: Palette;
}

const system = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';
const humanist = 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",sans-serif';
const serif = '"Iowan Old Style","Palatino Linotype",Palatino,P052,"URW Palladio L",Georgia,"DejaVu Serif",serif';
const rounded =
  'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Manjari,"Arial Rounded MT Bold",Calibri,sans-serif';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${kebab(name)}:${colour};`)
    .join('');

const base = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);
  font:1rem/1.55 var(--body);overflow-wrap:anywhere}
h1,h2,p,dl,dd,fieldset,ul{margin:0;padding:0}
h1,h2,.wordmark{font-family:var(--title)}
h1{font-size:1.625rem;line-height:1.25;font-weight:650;letter-spacing:-.015em;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.35;font-weight:650}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{color:var(--accent-strong)}
code{font:.875em/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
:lang(ko){word-break:keep-all}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
main:focus,.problem:focus{outline:none}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;padding:.75rem 1.25rem;border-radius:.625rem;background:var(--accent);
  color:var(--on-accent);font-weight:600}
.skip:focus{top:1rem}
`;

const frame = `
header{display:flex;justify-content:center;padding:clamp(1.25rem,6vh,4.5rem) 1rem 0;font-weight:600}
header a{display:flex;align-items:center;gap:.75rem;min-block-size:2.75rem;color:inherit;text-decoration:none}
header a:hover{color:inherit;text-decoration:underline}
.monogram{flex:none;display:grid;place-items:center;inline-size:2.5rem;block-size:2.5rem;border-radius:.75rem;background:var(--accent);
  color:var(--on-accent);font-size:.9375rem;font-weight:700;letter-spacing:.02em}
main{inline-size:100%;max-inline-size:27rem;margin:clamp(1.25rem,3vh,1.75rem) auto;padding:0 1rem}
main:first-of-type:nth-child(2){margin-block-start:clamp(1.5rem,12vh,8rem)}
main.wide{max-inline-size:39rem}
main:has(.tabs){max-inline-size:45rem}
.card{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;padding:clamp(1.25rem,5vw,2.25rem);background:var(--card);
  border:1px solid var(--line);border-radius:1.25rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -12px rgb(0 0 0/.12)}
.intro{display:grid;gap:.5rem}
.intro p{text-wrap:pretty}
.intro strong{color:var(--ink);font-weight:650}
.quiet,dt{color:var(--quiet)}
.small,dt{font-size:.875rem}
.problem{padding:.75rem 1rem;border:1px solid var(--problem-edge);border-inline-start:4px solid var(--problem);border-radius:.625rem;
  background:var(--problem-surface);color:var(--problem)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:.875rem 1.5rem;padding:1rem 1.125rem;border-radius:.75rem;background:var(--inset);border:1px solid var(--line)}
.facts p{color:var(--quiet);font-size:.875rem}
.facts strong{font-weight:600}
.facts code{font-weight:600}
.facts bdi{display:block}
`;

const controls = `
form{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}
.hint{margin-block-end:-.625rem}
.field{display:grid;gap:.375rem}
.field label{font-weight:600;font-size:.9375rem}
.field input{inline-size:100%;min-block-size:3rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;
  background:var(--card);color:var(--ink);font:inherit}
.field input:focus-visible{outline-offset:0;border-color:var(--accent)}
.field input[aria-invalid=true]{border-color:var(--problem)}
button,.button{min-block-size:3rem;padding:.625rem 1.25rem;border:1px solid var(--edge);border-radius:.625rem;background:transparent;
  color:var(--ink);font:inherit;font-weight:600;overflow-wrap:break-word;cursor:pointer}
button:hover,.button:hover{background:var(--inset)}
button.primary,.button.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button.primary:hover,.button.primary:hover{border-color:var(--accent-strong);background:var(--accent-strong)}
.decision{display:flex;flex-wrap:wrap;gap:.75rem}
.decision button{flex:1 1 7rem;inline-size:auto;max-inline-size:100%}
`;

const permissions = `
fieldset{min-inline-size:0;border:1px solid var(--line);border-radius:.875rem;padding:.25rem .625rem .625rem}
legend{display:flex;align-items:center;gap:.5rem;margin-inline-start:.125rem;padding:0 .5rem;font-weight:650}
legend svg{flex:none;inline-size:1.125rem;block-size:1.125rem}
fieldset>p{padding:0 .5rem .375rem;font-size:.875rem;color:var(--quiet)}
.scopes{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));list-style:none}
.scopes label{display:flex;align-items:flex-start;gap:.75rem;min-block-size:2.75rem;padding:.5rem;border-radius:.625rem;cursor:pointer}
.scopes label:hover{background:var(--inset)}
.scopes input{flex:none;inline-size:1.25rem;block-size:1.25rem;margin:.125rem 0 0;accent-color:var(--accent)}
.scopes span{display:grid;line-height:1.4}
.scopes code{color:var(--quiet);font-size:.8125rem}
fieldset.write{background:var(--caution-surface);border-color:var(--caution-edge)}
.write legend{padding-block:.125rem;border:1px solid var(--caution-edge);border-radius:2rem;background:var(--caution-surface)}
.write legend,.write>p,.write code{color:var(--caution)}
.write label:hover{background:var(--card)}
.write input{accent-color:var(--caution)}
`;

const own = `
.button{display:block;text-align:center;text-decoration:none}
button.serious{border-color:var(--problem);color:var(--problem)}
button.serious:hover{background:var(--problem-surface)}
.tabs ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:.25rem;margin-block-end:1rem;
  padding:.25rem;list-style:none;border-radius:.875rem;border:1px solid var(--line);background:var(--inset)}
.tabs a{display:grid;place-items:center;min-block-size:2.75rem;padding:.375rem .75rem;border-radius:.625rem;color:var(--quiet);
  font-weight:600;text-align:center;text-decoration:none;line-height:1.3}
.tabs a:hover{color:var(--ink)}
.tabs a[aria-current]{background:var(--card);color:var(--ink);box-shadow:0 1px 3px rgb(0 0 0/.12)}
.done{padding:.75rem 1rem;border:1px solid var(--line);border-inline-start:4px solid var(--accent);border-radius:.625rem;background:var(--inset)}
.items{list-style:none;display:grid;gap:.875rem}
.item{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:.75rem 1rem;align-items:center;padding:1rem;border:1px solid var(--line);border-radius:.875rem}
.item.bare{grid-template-columns:minmax(0,1fr) auto}
.item h2{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .625rem}
.item form{display:block}
.item button{min-block-size:2.75rem;padding-block:.375rem;font-size:.9375rem}
.item>dl,.item>details{grid-column:1/-1}
.item>dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10rem),1fr));gap:.5rem 1rem;font-size:.9375rem}
.item dt{font-size:.8125rem}
.item code{overflow-wrap:anywhere}
.soft{background:var(--inset);color:var(--quiet);border:1px solid var(--line)}
.badge{padding:.0625rem .625rem;border:1px solid var(--accent);border-radius:2rem;color:var(--accent);font:600 .8125rem/1.5 var(--body)}
summary{display:flex;align-items:center;gap:.375rem;min-block-size:2.75rem;padding-inline:.25rem;border-radius:.5rem;color:var(--accent);font-weight:600;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";inline-size:.4375rem;block-size:.4375rem;margin-inline-end:.25rem;border-inline-end:2px solid;border-block-end:2px solid;transform:rotate(-45deg)}
[dir=rtl] summary::before{transform:rotate(45deg)}
[open]>summary::before{transform:rotate(45deg)}
.list{list-style:none;display:grid;gap:.375rem;padding-inline-start:1.25rem;font-size:.9375rem}
.list code{color:var(--quiet)}
.nothing{padding:2rem 1rem;border:1px dashed var(--line);border-radius:.875rem;text-align:center}
.last{display:grid;gap:.5rem;padding-block-start:1.5rem;border-block-start:1px solid var(--line)}
.last form{margin-block-start:.5rem}
.below{margin:1rem .5rem 2rem;text-align:center}
@media (max-width:30rem){.item,.item.bare{grid-template-columns:auto minmax(0,1fr)}.item.bare{grid-template-columns:minmax(0,1fr)}
  .item>form{grid-column:1/-1;order:9}.item button{inline-size:100%}}
`;

/** The layouts that a school may choose from; what is not said here is the card. */
const arrangements = `
[data-layout=plain] .card{padding-inline:0;border-color:transparent;background:transparent;box-shadow:none}
[data-layout=banner] header{padding-block:clamp(1.5rem,5vh,3rem) 6rem;background:var(--band);color:var(--on-band)}
[data-layout=banner] header .monogram{background:var(--on-band);color:var(--band)}
[data-layout=banner] header+main{margin-block-start:-4.5rem}
[data-layout=banner]:has(.tabs) header{padding-block-end:9rem}
[data-layout=banner]:has(.tabs) header+main{margin-block-start:-7.5rem}
[data-layout=banner] .tabs ul{background:var(--card)}
[data-layout=banner] .tabs a[aria-current]{background:var(--accent);color:var(--on-accent);box-shadow:none}
`;

/** Letters that systems have; nothing is fetched. What a stack lacks, like Hangul, the system takes from its own. */
const typefaces: Readonly<Record<Typography, { readonly body: string; readonly title: string }>> = {
  system: { body: system, title: system },
  humanist: { body: humanist, title: humanist },
  serif: { body: system, title: serif },
  rounded: { body: rounded, title: rounded },
};

const schemes = ({ light, dark }: Colours, darkMode: DarkMode): readonly string[] => {
  if (darkMode !== 'auto') return [`:root{color-scheme:${darkMode};${variables(darkMode === 'dark' ? dark : light)}}`];
  return [
    `:root{color-scheme:light dark;${variables(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`,
  ];
};

/** The one style sheet of a page. The same for the same arguments, so that its hash can stand in the content security policy. */
export function styleOf(colours: Colours, typography: Typography, darkMode: DarkMode): string {
  const { body, title } = typefaces[typography];
  const letters = `:root{--body:${body};--title:${title}}`;
  return [...schemes(colours, darkMode), letters, base, frame, controls, permissions, own, arrangements].join('\n');
}
