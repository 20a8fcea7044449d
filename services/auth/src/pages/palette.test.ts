import { describe, expect, test } from '@jest/globals';
import { type Palette, palettes } from './palette.ts';

/** Relative luminance of `#rrggbb`. @see WCAG 2.2, relative luminance */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

type Pair = readonly [front: keyof Palette, back: keyof Palette];
const texts: readonly Pair[] = [
  ['ink', 'page'],
  ['ink', 'card'],
  ['ink', 'inset'],
  ['ink', 'cautionSurface'],
  ['quiet', 'card'],
  ['quiet', 'inset'],
  ['onAccent', 'accent'],
  ['onAccent', 'accentStrong'],
  ['caution', 'cautionSurface'],
  ['caution', 'card'],
  ['problem', 'problemSurface'],
];
const controls: readonly Pair[] = [
  ['edge', 'card'],
  ['edge', 'inset'],
  ['accent', 'card'],
  ['accent', 'page'],
  ['accent', 'cautionSurface'],
  ['problem', 'card'],
];

test('the contrast formula gives the known extremes', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each(Object.entries(palettes))('the %s colours', (_scheme, palette: Palette) => {
  test.each(texts)('WCAG 2.2 §1.4.3: text in %s on %s reaches 4.5:1', (front, back) => {
    expect(contrast(palette[front], palette[back])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(controls)('WCAG 2.2 §1.4.11: an edge in %s on %s reaches 3:1', (front, back) => {
    expect(contrast(palette[front], palette[back])).toBeGreaterThanOrEqual(3);
  });
});
