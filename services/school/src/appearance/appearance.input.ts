import { darkModes, layouts, typographies, line } from '@lyceum/contracts';
import { z } from 'zod';
import { firstLook } from './appearance.ts';
import type { Look } from './appearance.events.ts';
import { cssFault } from './custom-css.ts';

const colour = (example: string) =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #14605a')
    .transform((text) => text.toLowerCase())
    .meta({ description: 'Six hexadecimal digits.', example });

const { palette } = firstLook;

/** The colours of a school; what is left out is ours. */
const paletteInput = z.strictObject({
  accent: colour(palette.accent).default(palette.accent),
  background: colour(palette.background).default(palette.background),
  surface: colour(palette.surface).default(palette.surface),
  text: colour(palette.text).default(palette.text),
});

const css = z
  .string()
  .superRefine((text, context) => {
    const fault = cssFault(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ description: 'At most 64 KiB. Without @import, addresses and scripts; for the site of the school.' });

/** A whole draft: what is left out is as before anybody has chosen. */
export const draftBody = z
  .strictObject({
    palette: paletteInput.default(palette),
    typography: z.enum(typographies).default(firstLook.typography),
    layout: z.enum(layouts).default(firstLook.layout),
    dark_mode: z.enum(darkModes).default(firstLook.dark_mode),
    logo_text: line(1, 40).nullable().default(firstLook.logo_text),
    custom_css: css.default(firstLook.custom_css),
  })
  .transform((look): Look => look);
