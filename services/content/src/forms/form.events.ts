import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What a form asks for, as it is stored: the block of a page asks for more. */
const field = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(['text', 'email', 'phone', 'choice', 'checkbox', 'date']),
  required: z.boolean(),
  max: z.int().optional(),
  options: z.array(z.string()).optional(),
});

/** The events of a form, in the stream named after its id. A page that is published writes them beside its own. */
export const formEvents = {
  /** A published page shows the form like this from here on: for the first time, otherwise than before, or again. */
  FormDefined: {
    version: 1,
    data: z.object({
      page_id: z.string(),
      key: z.string(),
      name: z.string(),
      fields: z.array(field),
      consent: z.string().nullable(),
      submit_message: z.string(),
      tag_on_submit: z.string().nullable(),
    }),
  },
  /** No published page shows the form any more. */
  FormRetired: { version: 1, data: z.object({ page_id: z.string() }) },
} as const satisfies EventTypes;

/** An event of a form. */
export type FormEvent = EventOf<typeof formEvents>;

/** A form as a page defines it. */
export type FormDefinition = Extract<FormEvent, { type: 'FormDefined' }>['data'];

/** A field of a form. */
export type FormField = FormDefinition['fields'][number];
