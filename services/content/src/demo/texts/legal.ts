import type { RichText } from '@lyceum/contracts';
import type { DemoDraft } from './demo-pages.ts';

/** Texts as paragraphs. */
export const paragraphs = (...texts: readonly string[]): RichText =>
  texts.map((text) => ({ type: 'paragraph', text: [{ text }] }));

/** The terms of a demo school. */
export const terms = (school: string, country: string): DemoDraft => ({
  title: 'Terms',
  blocks: [
    {
      kind: 'text',
      text: paragraphs(
        `${school} sells access to courses, files and events. What you buy is yours to use, and not to sell on.`,
        'You may change your mind for fourteen days and get back what you paid, unless you have finished the course by then. A place at an event is paid back until two days before.',
        'Be kind to each other in the comments. What is not kind, we hide.',
        `The law of ${country} applies.`,
      ),
    },
  ],
});
