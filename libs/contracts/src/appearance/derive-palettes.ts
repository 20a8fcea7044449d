import { luminance } from './contrast.ts';
import { isColour, mix, readable, toward } from './colour.ts';
import type { Look } from './look.ts';
import { type Palette, palettes } from './palette.ts';

const [white, black] = ['#ffffff', '#000000'];
/** A little more than the guideline asks for: rounding must not cost it. @see WCAG 2.2 §1.4.3, §1.4.11 */
const [text, comfortable, control] = [4.6, 7, 3.1];

/**
 * The colours of the pages of a school: as near to what it chose as can be read. Surfaces are made light enough, or dark
 * enough, and whatever stands on them is moved until it has its contrast, so no choice makes a page that cannot be read.
 */
export function derivePalettes({ palette }: Pick<Look, 'palette'>): {
  readonly light: Palette;
  readonly dark: Palette;
} {
  const all = Object.values(palette).every(isColour);
  return all ? { light: light(palette), dark: dark(palette) } : palettes;
}

type Chosen = Look['palette'];

function light({ accent: wanted, background, surface, text: wantedText }: Chosen): Palette {
  const fixed = palettes.light;
  const card = toward(surface, white, (colour) => luminance(colour) >= 0.85);
  const page = toward(background, white, (colour) => luminance(colour) >= 0.75);
  const inset = mix(page, card, 0.5);
  const surfaces = [page, card, inset];
  const tinted = [...surfaces, fixed.cautionSurface, fixed.problemSurface];
  const ink = readable(wantedText, tinted, black, comfortable);
  const accent = readable(wanted, [...tinted, white], black, text);
  return {
    ...fixed,
    page,
    card,
    inset,
    ink,
    quiet: readable(mix(ink, card, 0.4), surfaces, black, text),
    line: mix(page, ink, 0.1),
    edge: readable(mix(ink, card, 0.55), surfaces, black, control),
    accent,
    accentStrong: mix(accent, black, 0.25),
    onAccent: white,
    band: accent,
    onBand: white,
    caution: readable(fixed.caution, tinted, black, text),
    problem: readable(fixed.problem, tinted, black, text),
  };
}

function dark({ accent: wanted, background, text: wantedText }: Chosen): Palette {
  const fixed = palettes.dark;
  // A school that is dark by choice keeps its own dark; any other gets ours with a breath of its colour.
  const page = luminance(background) <= 0.015 ? background : toward(mix('#0c100f', wanted, 0.06), black, isDeep);
  const card = mix(page, white, 0.045);
  const inset = mix(page, white, 0.075);
  const surfaces = [page, card, inset];
  const tinted = [...surfaces, fixed.cautionSurface, fixed.problemSurface];
  const lightText = luminance(wantedText) > 0.6 ? wantedText : mix('#edf1ef', wanted, 0.05);
  const ink = readable(lightText, tinted, white, comfortable);
  const accent = readable(mix(wanted, white, 0.25), tinted, white, text);
  return {
    ...fixed,
    page,
    card,
    inset,
    ink,
    quiet: readable(mix(ink, page, 0.35), surfaces, white, text),
    line: mix(page, ink, 0.16),
    edge: readable(mix(ink, page, 0.55), surfaces, white, control),
    accent,
    accentStrong: mix(accent, white, 0.35),
    // By night a stripe of the full colour would be a lamp.
    band: readable(mix(wanted, page, 0.4), [ink], black, comfortable),
    onBand: ink,
    onAccent: readable(mix(wanted, black, 0.8), [accent], black, text),
    caution: readable(fixed.caution, tinted, white, text),
    problem: readable(fixed.problem, tinted, white, text),
  };
}

const isDeep = (colour: string): boolean => luminance(colour) <= 0.012;
