import type { Goal, Goals } from './case.ts';
import type { CaseResult, Ratio, SideResult } from './measure.ts';
import type { Spread } from './statistics.ts';

/** A number as people read it: three digits that count, or whole. */
export const digits = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const range = ({ min, median, max }: Spread): string => `${digits(median)} (${digits(min)}–${digits(max)})`;

/** A case as lines of text: each side's median with its extremes, and the ratios with their goals. */
export function table({ name, unit, rounds, sides, missing, goals }: CaseResult): string {
  const rows = sides.map((side, index) => [side.name, ...cells(side, index === 0 ? goals : {})]);
  const head = ['', `${unit}/s`, 'CPU µs each', 'p50 ms', 'p99 ms', 'RSS MB', 'ours ÷ it', '… per CPU-s', 'goal'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  return [
    `${name}, median (least–most) of ${rounds} rounds`,
    line(head),
    ...rows.map(line),
    ...missing.map((peer) => `${peer.name}: ${peer.why}`),
    '',
  ].join('\n');
}

function cells({ rate, cpu, p50, p99, megabytes, ratio }: SideResult, goals: Goals): string[] {
  const verdicts = [
    ratio?.goal && reached(ratio, ratio.goal),
    goals.rate !== undefined && verdict(`≥ ${digits(goals.rate)}/s`, rate.median >= goals.rate),
    goals.cpu !== undefined && verdict(`CPU ≤ ${digits(goals.cpu)} µs`, cpu.median <= goals.cpu),
    goals.p50 !== undefined && verdict(`p50 ≤ ${goals.p50}`, p50!.median <= goals.p50),
    goals.p99 !== undefined && verdict(`p99 ≤ ${goals.p99}`, p99!.median <= goals.p99),
    goals.megabytes !== undefined && verdict(`RSS ≤ ${goals.megabytes} MB`, megabytes <= goals.megabytes),
  ];
  return [
    range(rate),
    digits(cpu.median),
    p50 ? digits(p50.median) : '',
    p99 ? digits(p99.median) : '',
    digits(megabytes),
    ratio ? range(ratio.wall) : '',
    ratio ? digits(ratio.cpu.median) : '',
    verdicts.filter(Boolean).join(', '),
  ];
}

function reached({ wall, cpu, added, slowest }: Ratio, goal: Goal): string {
  if ('addsAtMost' in goal)
    return verdict(`adds ${digits(added!.median)} ms ≤ ${goal.addsAtMost}`, added!.median <= goal.addsAtMost);
  if ('p99AtMost' in goal)
    return verdict(
      `p99 ${digits(slowest!.median)} times as long ≤ ${goal.p99AtMost}`,
      slowest!.median <= goal.p99AtMost,
    );
  return goal.per === 'CPU second'
    ? verdict(`≥ ${goal.atLeast} per CPU-s`, cpu.median >= goal.atLeast)
    : verdict(`≥ ${goal.atLeast}`, wall.median >= goal.atLeast);
}

const verdict = (goal: string, holds: boolean): string => `${goal} ${holds ? 'holds' : 'MISSED'}`;
