import type { Palette } from '@lyceum/contracts';

type Pair = readonly [front: keyof Palette, back: keyof Palette];
/** Text and what it stands on: 4.5:1. @see WCAG 2.2 §1.4.3 */
export const textPairs: readonly Pair[] = [
  ['ink', 'page'],
  ['ink', 'card'],
  ['ink', 'inset'],
  ['ink', 'cautionSurface'],
  ['ink', 'problemSurface'],
  ['quiet', 'page'],
  ['quiet', 'card'],
  ['quiet', 'inset'],
  ['onAccent', 'accent'],
  ['onBand', 'band'],
  ['onAccent', 'accentStrong'],
  ['caution', 'cautionSurface'],
  ['caution', 'card'],
  ['accent', 'page'],
  ['accent', 'card'],
  ['accent', 'inset'],
  ['accentStrong', 'page'],
  ['accentStrong', 'card'],
  ['problem', 'problemSurface'],
  ['problem', 'card'],
];
/** What shows where a control is, and what it stands on: 3:1. @see WCAG 2.2 §1.4.11 */
export const controlPairs: readonly Pair[] = [
  ['edge', 'card'],
  ['edge', 'inset'],
  ['accent', 'card'],
  ['accent', 'page'],
  ['accent', 'cautionSurface'],
  ['problem', 'card'],
];
