import type { Palette } from '@lyceum/contracts';
import { styleOfPages, variables } from '../pages/page-style.ts';

const rules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 var(--body);overflow-wrap:anywhere}
h1,h2,p,dl,dd,address{margin:0;padding:0;font-style:normal}
main{max-width:52rem;margin:0 auto;padding:clamp(1rem,4vh,2.5rem) clamp(1rem,3vw,2rem);display:grid;gap:1.25rem}
.hint{color:var(--quiet)}
.sheet{background:var(--card);border:1px solid var(--line);border-radius:.625rem;padding:clamp(1.25rem,5vw,3.5rem);display:grid;gap:2rem}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.5rem 2rem;padding-block-end:1rem;border-block-end:3px solid var(--accent)}
h1{font-family:var(--title);font-size:clamp(1.5rem,4vw,2.125rem);line-height:1.2}
.school{font-family:var(--title);font-weight:650;font-size:1.125rem;color:var(--accent)}
dl{display:flex;flex-wrap:wrap;gap:.75rem 2.5rem}
dt,h2{color:var(--quiet);font-size:.8125rem;font-weight:600;margin:0 0 .125rem}
dd{font-weight:600}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1.5rem 2rem}
.parties p{white-space:pre-line}
.scroll{overflow-x:auto}
table{inline-size:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.5rem 0 .5rem 1rem;text-align:end;vertical-align:top;white-space:nowrap}
th:first-child,td:first-child{padding-inline-start:0;text-align:start;white-space:normal;min-inline-size:9rem}
thead th{color:var(--quiet);font-size:.8125rem;border-block-end:1px solid var(--edge)}
tbody th{font-weight:400}
tbody tr{border-block-end:1px solid var(--line);break-inside:avoid}
tfoot th{font-weight:400;text-align:end}
tfoot th:first-child{text-align:end}
tfoot .sum th,tfoot .sum td{font-weight:700;font-size:1.125rem;border-block-start:2px solid var(--edge)}
tfoot tr{break-inside:avoid}
.standing{font-weight:600}
`;

/** On whatever paper there is, in light colours; what the page says beside the document is left out. */
const printed = (light: Palette): string => `
@page{margin:16mm 15mm}
@media print{
:root{color-scheme:light;${variables(light)}}
html,body{background:#fff;font-size:10.5pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{display:block;max-width:none;padding:0}
.hint{display:none}
th,td{padding-block:.3rem}
.sheet{border:0;border-radius:0;padding:0;background:none}
.scroll{overflow:visible}
thead{display:table-header-group}
tfoot{display:table-row-group}
}
`;

/** The style of invoices, in the colours and fonts of the school. */
export const invoiceStyle = styleOfPages(({ light }) => rules + printed(light));
