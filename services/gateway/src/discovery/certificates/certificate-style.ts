import type { Palette } from '@lyceum/contracts';
import { styleOfPages, variables } from '../pages/page-style.ts';

/** On the screen a sheet as wide as there is room for, in the proportions of A4; everything in it grows with its width. */
const rules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 var(--body);overflow-wrap:anywhere}
h1,p,dl,dd{margin:0;padding:0}
main{max-width:clamp(44rem,calc((100vh - 12rem)*1.4142),84rem);margin:0 auto;padding:clamp(1rem,4vh,2.5rem) clamp(1rem,3vw,2rem);display:grid;gap:1.25rem}
.standing{padding:.875rem 1.125rem;border:1px solid var(--line);border-inline-start:4px solid var(--accent);border-radius:.625rem;background:var(--card)}
.standing span{display:block;color:var(--quiet)}
.revoked{border-color:var(--problem-edge);border-inline-start-color:var(--problem);background:var(--problem-surface);color:var(--problem)}
.sheet{container-type:inline-size;background:var(--card);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 16px 40px -16px rgb(0 0 0/.18)}
.frame{--u:max(.5rem,1cqi);min-block-size:70.7cqi;padding:calc(4*var(--u)) calc(6*var(--u));display:flex;flex-direction:column;align-items:center;
  justify-content:center;gap:calc(1.7*var(--u));text-align:center;outline:calc(.9*var(--u)) solid var(--band);outline-offset:calc(-.9*var(--u));
  font-size:max(1rem,calc(1.9*var(--u)));line-height:1.3}
.frame>p{color:var(--quiet)}
.school,h1,.frame>.name,.frame>.course{font-family:var(--title);font-weight:650;line-height:1.15;text-wrap:balance}
.frame>.school{color:var(--accent);font-size:calc(2.5*var(--u))}
h1{font-size:calc(5.2*var(--u));letter-spacing:-.015em}
.frame>.name,.frame>.course{color:var(--ink)}
.frame>.name{padding:0 calc(3*var(--u)) calc(.8*var(--u));border-block-end:1px solid var(--edge);font-size:calc(4.4*var(--u))}
.frame>.course{font-size:calc(3.1*var(--u))}
.long{--u:max(.4rem,.72cqi)}
dl{display:flex;flex-wrap:wrap;justify-content:center;gap:calc(1.2*var(--u)) calc(6*var(--u));margin-block-start:calc(2.5*var(--u));font-size:max(.875rem,calc(1.5*var(--u)))}
dt{color:var(--quiet);font-size:max(.75rem,calc(1.2*var(--u)))}
dd{font-weight:600}
dl>:last-child{flex-basis:100%}
code{font:inherit;font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.02em;overflow-wrap:normal}
dd a{color:inherit;text-decoration:none}
`;

/** One sheet of A4 across, in light colours whatever the screen has; what the page says beside it is left out. */
const printed = (light: Palette): string => `
@page{size:A4 landscape;margin:0}
@media print{
:root{color-scheme:light;${variables(light)}}
html,body{background:var(--card);-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{display:block;max-width:none;padding:0}
.standing{display:none}
.standing.revoked{display:block;margin:2cm}
.sheet{inline-size:297mm;block-size:209.5mm;border:0;border-radius:0;box-shadow:none;overflow:hidden}
.frame{block-size:209.5mm;min-block-size:0}
}
`;

/** The style of certificates, in the colours and fonts of the school. */
export const certificateStyle = styleOfPages(({ light }) => rules + printed(light));
