import type { Palette } from '@lyceum/contracts';
import { styleOfPages, variables } from '../../discovery/pages/page-style.ts';

const rules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 var(--body);overflow-wrap:anywhere}
h1,h2,h3,p,ul,dl,dd{margin:0;padding:0}
h1,h2,h3,.name{font-family:var(--title);line-height:1.25;font-weight:650;text-wrap:balance}
h1{font-size:1.75rem;letter-spacing:-.015em}
h2{font-size:1.125rem}
h3{font-size:1rem}
a{color:var(--accent);text-underline-offset:.2em}
a:hover{color:var(--accent-strong)}
:lang(ko){word-break:keep-all}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
main:focus{outline:none}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;padding:.75rem 1.25rem;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font-weight:600}
.skip:focus{top:1rem}
header{background:var(--band);color:var(--on-band)}
header>div,main,footer{inline-size:100%;max-inline-size:60rem;margin:0 auto;padding-inline:clamp(1rem,4vw,2rem)}
header a{display:inline-flex;align-items:center;min-block-size:3.5rem;padding-block:.5rem;color:inherit;text-decoration:none}
header a:hover{color:inherit;text-decoration:underline}
header :focus-visible{outline-color:var(--on-band)}
.name{font-size:1.0625rem}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;padding-block:clamp(1.5rem,5vh,3rem) 2.5rem}
.top{display:grid;gap:.5rem;max-inline-size:40rem}
.card{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;align-content:start;padding:clamp(1.125rem,4vw,1.75rem);background:var(--card);border:1px solid var(--line);border-radius:1rem}
.quiet,dt{color:var(--quiet)}
.small{font-size:.9375rem}
.lines{list-style:none;display:grid;gap:1rem}
.lines li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.25rem 1rem;align-items:baseline}
.lines .price{text-align:end;font-weight:600;font-variant-numeric:tabular-nums}
.lines .terms{grid-column:1/-1;display:grid;gap:.375rem;padding:.75rem .875rem;border-radius:.625rem;background:var(--inset);font-size:.9375rem}
.agreement{padding-block-start:1.125rem;border-block-start:1px solid var(--line)}
.lines s{color:var(--quiet)}
.sums{display:grid;gap:.375rem;padding-block-start:1rem;border-block-start:1px solid var(--line)}
.sums>div,.facts>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.125rem 1rem}
.sums dd,.facts dd{margin-inline-start:auto;text-align:end}
.sums dd{font-variant-numeric:tabular-nums}
.sums .total{padding-block-start:.5rem;font-size:1.1875rem;font-weight:650}
.sums .total dt{color:inherit}
.facts{display:grid;gap:.375rem}
.facts dd{font-weight:600}
form{display:grid;grid-template-columns:minmax(0,1fr);gap:1.125rem}
.field{display:grid;gap:.375rem}
label{font-weight:600;font-size:.9375rem}
input{inline-size:100%;min-block-size:3rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--card);color:var(--ink);font:inherit}
input[aria-invalid=true]{border-color:var(--problem);border-width:2px}
.field .wrong{color:var(--problem);font-weight:600;font-size:.9375rem}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}
.row .field{flex:1 1 11rem}
.row button{flex:0 1 auto}
button,.button{display:inline-block;min-block-size:3rem;padding:.6875rem 1.25rem;border:1px solid var(--edge);border-radius:.625rem;background:transparent;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--inset);color:var(--ink)}
.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.primary:hover{border-color:var(--accent-strong);background:var(--accent-strong);color:var(--on-accent)}
.wide{inline-size:100%;font-size:1.0625rem}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem}
.problem{padding:.875rem 1.125rem;border:1px solid var(--problem-edge);border-inline-start:4px solid var(--problem);border-radius:.625rem;background:var(--problem-surface);color:var(--problem)}
.problem h2{font-size:1.0625rem}
.problem ul{margin-block-start:.375rem;padding-inline-start:1.125rem}
.problem a{color:inherit}
.notice{display:grid;gap:.75rem;padding:1rem 1.125rem;border:1px solid var(--caution-edge);border-radius:.75rem;background:var(--caution-surface);color:var(--caution)}
.notice button{border-color:currentcolor;color:inherit}
.notice button:hover{background:var(--card);color:inherit}
.applied{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;align-items:center}
.applied a,.signin a,footer a{display:inline-flex;align-items:center;min-block-size:2.75rem}
.signin{display:flex;flex-wrap:wrap;gap:0 .75rem;align-items:center}
code{font:.9375em/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
.pre{white-space:pre-line}
footer{display:flex;flex-wrap:wrap;gap:0 1.25rem;align-items:center;padding-block:.75rem 2.5rem;color:var(--quiet);font-size:.9375rem}
@media (min-width:52rem){
.two{grid-template-columns:minmax(0,1fr) minmax(0,1fr);align-items:start}
.two>.top,.two>.problem{grid-column:1/-1}
}
`;

const printed = (light: Palette): string => `
@media print{
:root{color-scheme:light;${variables(light)}}
.skip,form,.buttons,.screen{display:none}
header{background:none;color:inherit}
.card{border:0;padding:0}
}
`;

/** The style of the checkout pages, in the colours and fonts of the school; a receipt is printed in light colours. */
export const checkoutStyle = styleOfPages(({ light }) => rules + printed(light));
