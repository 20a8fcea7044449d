import { contrast } from './contrast.ts';

/** A colour as `#rrggbb`. */
type Colour = string;

const channels = (colour: Colour): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Whether a text is a colour that this file can read. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A colour on the way from one to another: 0 is the first, 1 the second. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((channel, at) => Math.round(channel + (b[at]! - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const steps = 50;

/** The first colour on the way to `end` that is good; `end` when none before is. */
export function toward(from: Colour, end: Colour, isGood: (colour: Colour) => boolean): Colour {
  for (let step = 0; step < steps; step += 1) {
    const colour = mix(from, end, step / steps);
    if (isGood(colour)) return colour;
  }
  return end;
}

/** The colour, moved toward `end` until it has this contrast with each of the others. */
export const readable = (colour: Colour, others: readonly Colour[], end: Colour, least: number): Colour =>
  toward(colour, end, (each) => others.every((other) => contrast(each, other) >= least));
