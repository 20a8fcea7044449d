import { membersOf, staff } from '@lyceum/service';
import { z } from 'zod';
import { fieldTypes } from '../../form-blocks/form-block.ts';
import { formStatuses } from '../form.ts';

const { first, last } = membersOf('form', 'form');

/** A field as clients read it. */
const field = z
  .object({
    key: z.string().meta({ description: 'Names the answer.', example: 'name' }),
    label: z.string().meta({ example: 'Your name' }),
    type: z.enum(fieldTypes),
    required: z.boolean(),
    max: z.int().nullable().meta({ description: 'Most characters; null = a text has no length of its own.' }),
    options: z.array(z.string()).meta({ description: 'What can be chosen, of a choice.' }),
  })
  .meta({ id: 'ShownFormField', description: 'A field of a form.' });

/** A form as clients read it, in lists too. */
export const formReply = z
  .object({
    ...first,
    page_id: z.string(),
    name: z.string(),
    fields: z.array(field),
    consent: z.string().nullable().meta({ description: 'What can be agreed to; null = nothing is asked.' }),
    submit_message: z.string(),
    key: z.string().meta({ ...staff, description: 'Names it in its page.' }),
    status: z.enum(formStatuses).meta(staff),
    tag_on_submit: z.string().nullable().meta(staff),
    ...last,
  })
  .meta({ id: 'Form', description: 'A form that a page of the school shows.' });
