import { contrast } from '@lyceum/contracts';
import type { Look } from './appearance.events.ts';

const least = 4.5;

/** Which pairs of a palette are read against each other. */
const pairs = [
  ['text', 'background'],
  ['text', 'surface'],
  ['accent', 'background'],
  ['accent', 'surface'],
] as const;

/** A pair of colours that is hard to read. */
export interface ContrastWarning {
  readonly code: 'low_contrast';
  readonly fields: readonly string[];
  /** Two decimals, rounded down. */
  readonly contrast: number;
  readonly message: string;
}

/** What of a palette is hard to read. Advice only: pages that must be read choose their own text colours. @see WCAG 2.2 §1.4.3 */
export const contrastWarnings = ({ palette }: Look): readonly ContrastWarning[] =>
  pairs.flatMap(([front, back]) => {
    const found = Math.floor(contrast(palette[front], palette[back]) * 100) / 100;
    if (found >= least) return [];
    const message = `${front} on ${back} has a contrast of ${found}:1; text needs ${least}:1`;
    return [{ code: 'low_contrast', fields: [`palette.${front}`, `palette.${back}`], contrast: found, message }];
  });
