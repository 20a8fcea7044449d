import type { CaseResult, SideResult } from './measure.ts';
import { digits } from './report.ts';
import type { Run } from './run.ts';
import type { Spread } from './statistics.ts';

const heads = ['', 'per CPU second', 'ours ÷ it', 'per second', 'p50 ms', 'p99 ms', 'RSS MB'] as const;

/** A run as a page of Markdown: how it was measured, a table for each case, and what the sides are. */
export const benchmarksPage = (run: Run): string =>
  [
    '# Benchmarks',
    'Lyceum beside servers that users would pick. `npm run bench -- … --report` writes this page from a run: no figure is typed.',
    '```\nnpm ci\nnpm run bench:peers     # Keycloak and Ory Hydra from package registries, once for a machine\n' +
      `${run.command}\n\`\`\``,
    howMeasured(run),
    ...run.results.flatMap(caseOf),
    '## What the sides are',
    sidesOf(run.results),
  ].join('\n\n') + '\n';

const howMeasured = ({ at, machine, effort }: Run): string => {
  const { processors, gigabytes, load, platform, versions } = machine;
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured on ${at.slice(0, 10)}: ${processors} processors, ${gigabytes} GB, ${platform}; ${programs.join(', ')}.${load === undefined ? '' : ` Load before: ${load}.`}`,
    `The sides of a case run at once and take turns; each figure is the median (least–most) of ${effort.rounds} rounds of ${effort.milliseconds} ms, after longer ones that do not count. The client runs on the same processors: compare within a table, not with figures from elsewhere.`,
    '**Per CPU second** is how many operations a side answers for each second of processor time of all its processes, a database of its own included. **Ours ÷ it** is how many ours answers for each of it, likewise: above 1, ours needs less.',
  ].join('\n\n');
};

function caseOf({ name, unit, sides, missing }: CaseResult): readonly string[] {
  const rows = [heads.map((head) => head.replace(/^per/, `${unit} per`)), ...sides.map(rowOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => line(row.map((cell, column) => aligned(cell, column, widths[column]!))));
  const rule = line(widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  const table = [cells[0]!, rule, ...cells.slice(1)].join('\n');
  return [`## ${name}`, table, ...missing.map((side) => `${side.name}: ${side.why.split('\n')[0]}`)];
}

const aligned = (cell: string, column: number, width: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

const rowOf = ({ name, cpu, ratio, rate, p50, p99, megabytes }: SideResult): readonly string[] => [
  name,
  range({ min: 1e6 / cpu.max, median: 1e6 / cpu.median, max: 1e6 / cpu.min }),
  ratio ? range(ratio.cpu) : '',
  digits(rate.median),
  p50 ? digits(p50.median) : '',
  p99 ? digits(p99.median) : '',
  digits(megabytes),
];

const range = ({ min, median, max }: Spread): string => `${digits(median)} (${digits(min)}–${digits(max)})`;

/** Each side once, in the order in which sides first come. */
function sidesOf(results: readonly CaseResult[]): string {
  const sides = new Map(
    results.flatMap((each) => each.sides).flatMap(({ name, about }) => (about === undefined ? [] : [[name, about]])),
  );
  return [...sides].map(([name, about]) => `- **${name}**: ${about}`).join('\n');
}
