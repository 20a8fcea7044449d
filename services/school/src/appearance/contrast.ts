import type { Look } from './appearance.events.ts';

/** Relative luminance of `#rrggbb`. @see WCAG 2.2, relative luminance */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21. @see WCAG 2.2, contrast ratio */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

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
    const contrast = Math.floor(contrastOf(palette[front], palette[back]) * 100) / 100;
    if (contrast >= least) return [];
    const message = `${front} on ${back} has a contrast of ${contrast}:1; text needs ${least}:1`;
    return [{ code: 'low_contrast', fields: [`palette.${front}`, `palette.${back}`], contrast, message }];
  });
