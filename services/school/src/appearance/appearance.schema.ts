import { darkModes, layouts, typographies } from '@lyceum/contracts';
import { z } from 'zod';
import { type Appearance, firstLook } from './appearance.ts';
import type { Look } from './appearance.events.ts';
import { contrastWarnings } from './contrast.ts';

const look = {
  palette: z
    .object({ accent: z.string(), background: z.string(), surface: z.string(), text: z.string() })
    .meta({ id: 'Palette' }),
  typography: z.enum(typographies),
  layout: z.enum(layouts),
  dark_mode: z.enum(darkModes).meta({ description: 'auto = as the reader’s system is set.' }),
  logo_text: z.string().nullable().meta({ description: 'In the place of the school’s name at the head of a page.' }),
  custom_css: z.string(),
};

/** The appearance that everybody sees. */
export const appearanceReply = z
  .object({
    object: z.literal('appearance'),
    ...look,
    revision: z.int().min(0).meta({ description: '0 = nobody has chosen yet.' }),
    published_at: z.iso.datetime().nullable(),
    draft: z.boolean().meta({ sees: 'staff', description: 'Whether there is a draft.' }),
    revisions: z
      .array(z.object({ revision: z.int(), published_at: z.iso.datetime() }))
      .meta({ sees: 'staff', description: 'What can be rolled back to, newest first.' }),
    version: z.int().min(0).meta({ description: 'Also the ETag.' }),
  })
  .meta({ id: 'Appearance', description: 'How the school looks.' });

const warning = z.object({
  code: z.literal('low_contrast'),
  fields: z.array(z.string()),
  contrast: z.number(),
  message: z.string(),
});

/** The draft, or what it would begin with. */
export const draftReply = z
  .object({
    object: z.literal('appearance_draft'),
    ...look,
    saved: z.boolean().meta({ description: 'False while the draft is what is public.' }),
    warnings: z.array(warning).meta({ description: 'What is hard to read. Advice only.' }),
    version: z.int().min(0).meta({ description: 'Also the ETag.' }),
  })
  .meta({ id: 'AppearanceDraft', description: 'The next appearance of the school.' });

/** The public appearance as the API shows it. */
export function appearanceDocument({ revisions, draft }: Appearance, version: number) {
  const [now] = revisions;
  return {
    object: 'appearance',
    ...(now?.look ?? firstLook),
    revision: now?.revision ?? 0,
    published_at: now?.published_at ?? null,
    draft: draft !== undefined,
    revisions: revisions.map(({ revision, published_at }) => ({ revision, published_at })),
    version,
  };
}

/** The draft as the API shows it. */
export function draftDocument({ revisions, draft }: Appearance, version: number) {
  const shown: Look = draft ?? revisions[0]?.look ?? firstLook;
  return {
    object: 'appearance_draft',
    ...shown,
    saved: draft !== undefined,
    warnings: contrastWarnings(shown),
    version,
  };
}
