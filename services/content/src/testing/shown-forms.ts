import type { GivenEvent } from '@lyceum/testkit-service';
import { formBlock } from '../form-blocks/form-block.ts';
import { formIdOf, formSideEvents } from '../forms/form.ts';

/** The page that shows forms in tests. */
export const pageId = 'page_0195a3c2-7d10-7abc-8def-0123456789ab';

const block = (key: string, more: object) => formBlock.parse({ kind: 'form', key, name: `Form ${key}`, ...more });

const email = { key: 'email', label: 'Your address', type: 'email', required: true };

/** The forms of the page. */
const blocks = [
  block('contact', {
    fields: [
      { key: 'name', label: 'Your name', type: 'text', max: 100 },
      email,
      { key: 'topic', label: 'Topic', type: 'choice', options: ['courses', 'else'] },
      { key: 'message', label: 'Message', type: 'text', required: true },
    ],
    submit_message: 'Thank you.',
  }),
  block('newsletter', {
    fields: [{ key: 'name', label: 'Your name', type: 'text' }, email],
    consent: 'I want letters about new courses.',
    tag_on_submit: 'newsletter',
  }),
  block('retired', { fields: [email] }),
];

/** Ids of the forms, by their keys. */
export const formIds = {
  contact: formIdOf(pageId, 'contact'),
  newsletter: formIdOf(pageId, 'newsletter'),
  retired: formIdOf(pageId, 'retired'),
} as const;

/** What a page leaves in the log that showed three forms, and shows two of them now. */
export const shownForms: readonly GivenEvent[] = [
  ...formSideEvents(pageId, [], blocks),
  ...formSideEvents(pageId, blocks, blocks.slice(0, 2)),
];
