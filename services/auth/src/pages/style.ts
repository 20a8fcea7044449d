import { type Palette, palettes } from './palette.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${kebab(name)}:${colour};`)
    .join('');

const base = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);
  font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1,h2,p,dl,dd,fieldset,ul{margin:0;padding:0}
h1{font-size:1.625rem;line-height:1.25;font-weight:650;letter-spacing:-.015em;text-wrap:balance}
code{font:.875em/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
main:focus,.problem:focus{outline:none}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;padding:.75rem 1.25rem;border-radius:.625rem;background:var(--accent);
  color:var(--on-accent);font-weight:600}
.skip:focus{top:1rem}
`;

const frame = `
header{display:flex;align-items:center;justify-content:center;gap:.75rem;padding:clamp(1.25rem,6vh,4.5rem) 1rem 0;font-weight:600}
.monogram{flex:none;display:grid;place-items:center;inline-size:2.5rem;block-size:2.5rem;border-radius:.75rem;background:var(--accent);
  color:var(--on-accent);font-size:.9375rem;font-weight:700;letter-spacing:.02em}
main{inline-size:100%;max-inline-size:27rem;margin:clamp(1.25rem,3vh,1.75rem) auto;padding:0 1rem}
main:first-of-type:nth-child(2){margin-block-start:clamp(1.5rem,12vh,8rem)}
main.wide{max-inline-size:39rem}
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
button{min-block-size:3rem;padding:.625rem 1.25rem;border:1px solid var(--edge);border-radius:.625rem;background:transparent;
  color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--inset)}
button.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button.primary:hover{border-color:var(--accent-strong);background:var(--accent-strong)}
.decision{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,7rem),1fr));gap:.75rem}
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

/** The one style sheet of all pages. A constant, so that its hash can stand in the content security policy. */
export const style = [
  `:root{color-scheme:light dark;${variables(palettes.light)}}`,
  `@media (prefers-color-scheme:dark){:root{${variables(palettes.dark)}}}`,
  base,
  frame,
  controls,
  permissions,
].join('\n');
