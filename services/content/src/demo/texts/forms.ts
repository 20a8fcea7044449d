import type { z } from 'zod';
import type { formBlock } from '../../form-blocks/form-block.ts';

type Form = z.input<typeof formBlock>;

/** The form by which visitors write to Lantern Craft School: a field of each type, and a tag for who agrees. */
export const contactForm = {
  kind: 'form',
  key: 'contact',
  name: 'Contact',
  fields: [
    { key: 'name', label: 'Your name', type: 'text', required: true, max: 120 },
    { key: 'email', label: 'Where we can write to you', type: 'email', required: true },
    { key: 'phone', label: 'Telephone', type: 'phone' },
    {
      key: 'topic',
      label: 'What is it about?',
      type: 'choice',
      required: true,
      options: ['A course', 'A visit', 'A repair', 'Something else'],
    },
    { key: 'visit_on', label: 'When would you come?', type: 'date' },
    { key: 'message', label: 'Your message', type: 'text', required: true, max: 2_000 },
    { key: 'programme', label: 'Send me the printed programme', type: 'checkbox' },
  ],
  consent: 'You may write to me about new courses and events. I can end that at any time.',
  submit_message: 'Thank you. We answer within two working days, mostly in the evening.',
  tag_on_submit: 'newsletter',
} as const satisfies Form;

/** What people were asked after they had visited; no page shows it any more. */
export const surveyForm = {
  kind: 'form',
  key: 'survey',
  name: 'After your visit',
  fields: [
    { key: 'liked', label: 'How was it?', type: 'choice', required: true, options: ['Good', 'So-so', 'Not good'] },
    { key: 'remark', label: 'What should we change?', type: 'text', max: 1_000 },
    { key: 'email', label: 'Where we can write back', type: 'email' },
  ],
  submit_message: 'Thank you. It hangs on the wall beside the kettle now.',
} as const satisfies Form;

/** The form by which visitors write to North Quay Music: the same key, another form. */
export const musicContactForm = {
  kind: 'form',
  key: 'contact',
  name: 'Contact',
  fields: [
    { key: 'name', label: 'Your name', type: 'text', required: true, max: 120 },
    { key: 'email', label: 'E-mail', type: 'email', required: true },
    { key: 'message', label: 'What would you like to play?', type: 'text', required: true, max: 1_000 },
  ],
  submit_message: 'Thank you. We answer after the last ferry.',
} as const satisfies Form;
