import { paragraphs, terms } from './legal.ts';
import type { DemoDraft, DemoPage } from './demo-pages.ts';
import { contactForm, surveyForm } from './forms.ts';

const visit: DemoDraft = {
  title: 'Visit the workshop',
  seo: { description: 'Where the long table stands, when it is open, and how to reach us.' },
  blocks: [
    { kind: 'hero', heading: 'Visit the workshop', text: 'Rua das Flores 12, first floor, above the bookbinder.' },
    {
      kind: 'image',
      image: 'workshop-evening',
      alt: 'Three lit paper lanterns in front of a dark window',
      caption: 'The long table on a Thursday evening.',
    },
    {
      kind: 'text',
      text: [
        { type: 'heading', level: 2, text: [{ text: 'When we are there' }] },
        {
          type: 'list',
          ordered: false,
          items: [
            [{ text: 'Tuesday and Thursday, 17:00 to 21:00: open table' }],
            [{ text: 'Saturday, 10:00 to 13:00: repairs' }],
          ],
        },
        {
          type: 'paragraph',
          text: [
            { text: 'The stairs are steep. Ring twice, and we carry things up ' },
            { text: 'for you', marks: ['bold'] },
            { text: '.' },
          ],
        },
      ],
    },
    {
      kind: 'faq',
      title: 'Before you come',
      items: [
        {
          question: 'Do I have to bring anything?',
          answer: paragraphs('No. Tools, paste and paper are there; paper is paid by the sheet.'),
        },
        {
          question: 'May I bring children?',
          answer: paragraphs('Yes, from six years on, and one grown-up for each two of them.'),
        },
        {
          question: 'Can you repair a lantern from my grandmother?',
          answer: paragraphs('Very likely. Bring it on a Saturday, in a box, and do not try to flatten it.'),
        },
      ],
    },
    contactForm,
  ],
};

/** Pages of Lantern Craft School: those that every school has, one with a history, one that waits and one that is written. */
export const lanternPages: readonly DemoPage[] = [
  {
    kind: 'home',
    slug: 'home',
    at: '2026-08-25T09:00:00.000Z',
    draft: {
      title: 'Lantern Craft School',
      seo: { description: 'Paper, bamboo and light: courses for people who like to make things that glow.' },
      blocks: [
        {
          kind: 'hero',
          heading: 'Make something that glows',
          text: 'Courses in paper and light, at your own table or at ours.',
          image: 'workshop-evening',
          alt: 'Three lit paper lanterns in front of a dark window',
          button: { label: 'Fold your first lantern', url: '/courses/first-steps' },
        },
        { kind: 'course_grid', title: 'What we teach', courses: 'all' },
        {
          kind: 'text',
          text: [
            {
              type: 'paragraph',
              text: [
                {
                  text: 'We have taught around one long table since 2009. Every course here was taught there first, to people who interrupted.',
                },
              ],
            },
            { type: 'quote', text: [{ text: 'I came for an evening and stayed for the winter.' }] },
          ],
        },
        { kind: 'pricing', title: 'Everything, for a month or for good', offers: 'all' },
        {
          kind: 'video',
          url: 'https://videos.example.org/workshop-tour.mp4',
          title: 'A walk around the long table, two minutes',
        },
        {
          kind: 'html_safe',
          html: '<h2>Paper of the month</h2><p><strong>Kozo, 32 g.</strong> Long fibres, a warm white, and it forgives a fold in the wrong place.</p><table><tr><th>Folded</th><td>holds</td></tr><tr><th>Wet</th><td>holds longer than you think</td></tr></table>',
        },
      ],
    },
    next: [{ do: 'publish', at: '2026-08-28T08:00:00.000Z' }],
  },
  {
    kind: 'terms',
    slug: 'terms',
    at: '2026-08-25T10:00:00.000Z',
    draft: terms('Lantern Craft School', 'Portugal'),
    next: [{ do: 'publish', at: '2026-08-28T08:01:00.000Z' }],
  },
  {
    kind: 'privacy',
    slug: 'privacy',
    at: '2026-08-25T10:30:00.000Z',
    draft: {
      title: 'Privacy policy',
      blocks: [
        {
          kind: 'text',
          text: paragraphs(
            'We keep what you tell us to teach you: your name, your address, what you have learnt and what you bought. We show ads to nobody and sell nothing about you.',
            'Under your account you see all of it, take it with you, and have it erased. What we have to keep for the tax office stays, without your name.',
            'What you send by a form is kept for two years, and deleted before if you ask.',
          ),
        },
      ],
    },
    next: [{ do: 'publish', at: '2026-08-28T08:02:00.000Z' }],
  },
  {
    kind: 'custom',
    slug: 'visit',
    at: '2026-08-29T09:00:00.000Z',
    draft: visit,
    next: [
      { do: 'publish', at: '2026-08-29T10:00:00.000Z' },
      // Asked for two weeks how people liked it; then the page was as before.
      {
        do: 'save',
        at: '2026-09-28T09:00:00.000Z',
        draft: { ...visit, blocks: [...(visit.blocks ?? []), surveyForm] },
      },
      { do: 'publish', at: '2026-09-28T09:10:00.000Z' },
      { do: 'roll back', at: '2026-11-16T09:00:00.000Z', to: 1 },
    ],
  },
  {
    kind: 'custom',
    slug: 'festival',
    at: '2026-11-12T14:00:00.000Z',
    draft: {
      title: 'The festival of light',
      seo: { title: 'Festival of light: the lantern parade', description: 'When, where, and what to carry.' },
      blocks: [
        { kind: 'hero', heading: 'The festival of light', text: 'One evening in February, and everybody carries.' },
        {
          kind: 'text',
          text: paragraphs(
            'The parade leaves the fish steps at dusk and ends at the lighthouse. There is soup.',
            'Large frames are built by the winter group. Small ones are built by you.',
          ),
        },
      ],
    },
    next: [{ do: 'schedule', at: '2026-11-12T14:30:00.000Z', inDays: 21 }],
  },
  {
    kind: 'custom',
    slug: 'teach-with-us',
    at: '2026-11-19T13:00:00.000Z',
    draft: {
      title: 'Teach with us',
      seo: { noindex: true },
      blocks: [
        { kind: 'text', text: paragraphs('You make one thing very well, and you like questions. Write to us.') },
      ],
    },
    next: [],
  },
];
