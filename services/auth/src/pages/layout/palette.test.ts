import { describe, expect, test } from '@jest/globals';
import { type Palette, contrast, derivePalettes, luminance, palettes } from '@lyceum/contracts';
import fc from 'fast-check';
import { controlPairs, textPairs } from '../../testing/pages/pairs.ts';

test('the contrast formula gives the known extremes', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

/** The pairs that cannot be read. */
const unreadable = (palette: Palette): readonly string[] => [
  ...textPairs.filter(([front, back]) => contrast(palette[front], palette[back]) < 4.5).map(String),
  ...controlPairs.filter(([front, back]) => contrast(palette[front], palette[back]) < 3).map(String),
];

describe.each(Object.entries(palettes))('our %s colours', (_scheme, palette: Palette) => {
  test('WCAG 2.2 §1.4.3, §1.4.11: every text reaches 4.5:1 and every edge 3:1', () => {
    expect(unreadable(palette)).toEqual([]);
  });
});

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
const chosen = fc.record({ accent: hex, background: hex, surface: hex, text: hex });
const extremes = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080'];

describe('the colours of a school', () => {
  test('WCAG 2.2 §1.4.3, §1.4.11: can be read whatever the school chose', () => {
    fc.assert(
      fc.property(chosen, (palette) => {
        const { light, dark } = derivePalettes({ palette });
        expect([unreadable(light), unreadable(dark)]).toEqual([[], []]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('WCAG 2.2 §1.4.3, §1.4.11: can be read at every corner', () => {
    for (const accent of extremes)
      for (const background of extremes)
        for (const surface of extremes)
          for (const text of extremes) {
            const { light, dark } = derivePalettes({ palette: { accent, background, surface, text } });
            expect([unreadable(light), unreadable(dark)]).toEqual([[], []]);
          }
  });

  test('are those that it chose, where they can be read', () => {
    const palette = { accent: '#9a3f12', background: '#f8f1e7', surface: '#fffdf9', text: '#2a1d14' };
    const { light } = derivePalettes({ palette });
    expect(light).toMatchObject({ accent: '#9a3f12', page: '#f8f1e7', card: '#fffdf9', ink: '#2a1d14' });
  });

  test('are light by day and dark by night, also when the school is dark by choice', () => {
    const palette = { accent: '#f0c040', background: '#101018', surface: '#20202c', text: '#f4f4f8' };
    const { light, dark } = derivePalettes({ palette });
    expect(luminance(light.page)).toBeGreaterThan(0.7);
    expect(dark.page).toBe('#101018');
    expect(luminance(dark.card)).toBeLessThan(0.05);
  });

  test('are ours when one of them is no colour', () => {
    const palette = { accent: 'red;}*{display:none', background: '#ffffff', surface: '#ffffff', text: '#000000' };
    expect(derivePalettes({ palette })).toBe(palettes);
  });
});
