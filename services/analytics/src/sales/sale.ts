import { halfUp, split } from '@lyceum/kernel';

/** A line of an order. `back`: what of its total was paid back. Minor units. */
export interface SaleLine {
  readonly item_type: string;
  readonly item_id: string;
  readonly line_id: string;
  readonly total: number;
  readonly tax: number;
  readonly back: number;
}

/** What is without the tax in the first so much of what a line cost: in all of it, all that is without. Halves of the tax go up. */
const netOf = ({ total, tax }: SaleLine, amount: number): number =>
  total === 0 ? 0 : amount - halfUp(BigInt(tax) * BigInt(amount), BigInt(total));

/** What a line costs without its tax. */
export const grossOf = (line: SaleLine): number => line.total - line.tax;

/** What is without the tax in what went back between two states of a line; below 0 when it came again. */
export const netBetween = (before: SaleLine, after: SaleLine): number =>
  netOf(after, after.back) - netOf(before, before.back);

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** How an amount that goes back is divided among lines, by what is left of each; no more than is left. */
function shares(lines: readonly SaleLine[], amount: number): readonly number[] {
  const left = lines.map(({ total, back }) => total - back);
  return split(Math.min(amount, sum(left)), left);
}

/**
 * What of an amount goes back for each line: first for those that are taken back with it, then for the others. Each gets its
 * part of what is left of it.
 */
export function sharesOf(lines: readonly SaleLine[], amount: number, taken: ReadonlySet<string>): readonly number[] {
  const only = (wanted: boolean) =>
    lines.map((line) => (taken.has(line.line_id) === wanted ? line : { ...line, back: line.total }));
  const first = shares(only(true), amount);
  const second = shares(only(false), amount - sum(first));
  return first.map((share, index) => share + second[index]!);
}

/** The lines once so much more of each went back. */
export const givenBack = (lines: readonly SaleLine[], parts: readonly number[]): readonly SaleLine[] =>
  lines.map((line, index) => ({ ...line, back: line.back + (parts[index] ?? 0) }));

/** What is left of what was paid. */
export const leftOf = (lines: readonly SaleLine[]): number => sum(lines.map(({ total, back }) => total - back));
