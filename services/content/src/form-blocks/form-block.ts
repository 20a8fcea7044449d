import { line, paragraph } from '@lyceum/contracts';
import { z } from 'zod';

/** What a field of a form takes. */
export const fieldTypes = ['text', 'email', 'phone', 'choice', 'checkbox', 'date'] as const;

/** The most characters that an answer has whose field says nothing else. */
export const longest = { text: 5_000, email: 254, phone: 40 } as const;

/** What names a field in the answers, and a form in its page. */
const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must begin with a letter, and be at most 40 of a-z, 0-9 and _')
  .meta({ example: 'name' });

const field = z
  .strictObject({
    key,
    label: line(1, 200).meta({ example: 'Your name' }),
    type: z.enum(fieldTypes),
    required: z.boolean().default(false),
    max: z.int().min(1).max(longest.text).optional().meta({ description: 'Most characters, of a text.' }),
    options: z
      .array(line(1, 200))
      .min(1)
      .max(50)
      .refine((all) => new Set(all).size === all.length, 'must not repeat an option')
      .optional()
      .meta({ description: 'What can be chosen, of a choice.' }),
  })
  .refine(({ type, options }) => (type === 'choice') === (options !== undefined), {
    path: ['options'],
    message: 'a choice has options, and nothing else has',
  })
  .refine(({ type, max }) => max === undefined || type === 'text', {
    path: ['max'],
    message: 'only a text has a largest length of its own',
  })
  .meta({ id: 'FormField', description: 'A field of a form.' });

/** What a form asks for, and what follows. */
const formDefinition = {
  name: line(1, 200).meta({ description: 'For the staff.', example: 'Contact' }),
  fields: z
    .array(field)
    .min(1)
    .max(30)
    .refine((all) => new Set(all.map((each) => each.key)).size === all.length, 'must not repeat a key'),
  consent: paragraph(2_000)
    .nullable()
    .default(null)
    .meta({ description: 'What whoever sends the form may agree to; null = nothing is asked.' }),
  submit_message: paragraph(500).default('').meta({ description: 'What is shown once it was sent.' }),
  tag_on_submit: line(1, 40).nullable().default(null).meta({
    description:
      'A tag for whoever sends the form, gives an e-mail address and agrees to the consent: they become invited members where they are none.',
  }),
} as const;

/** A block of a page that shows a form. `key` names it in the page: with the same key it stays the same form. */
export const formBlock = z
  .strictObject({
    kind: z.literal('form'),
    key,
    form_id: z.string().max(64).optional().meta({
      description: 'Where the form is read and sent: it follows from the page and the key. Ignored when it is sent.',
    }),
    ...formDefinition,
  })
  .refine(({ tag_on_submit, consent }) => tag_on_submit === null || (consent ?? '') !== '', {
    path: ['tag_on_submit'],
    message: 'needs a consent: nobody is tagged who has not agreed',
  })
  .meta({ id: 'FormBlock', description: 'A form that visitors fill in.' });

/** A block of a page that shows a form. */
export type FormBlock = z.output<typeof formBlock>;

/** The forms among blocks. */
export const formsAmong = (blocks: readonly { readonly kind: string }[]): readonly FormBlock[] =>
  blocks.filter((block): block is FormBlock => block.kind === 'form');

/** A block as it is kept: where its form is follows from the page. */
export function formKept<Block extends { readonly kind: string }>(block: Block): Block {
  if (block.kind !== 'form' || !('form_id' in block)) return block;
  const { form_id: _follows, ...kept } = block;
  return kept as unknown as Block;
}
