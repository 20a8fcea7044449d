import type { DemoPage } from './demo-pages.ts';
import { musicContactForm } from './forms.ts';
import { paragraphs, terms } from './legal.ts';

/** Pages of North Quay Music. One has the slug of a page of the other school. */
export const musicPages: readonly DemoPage[] = [
  {
    kind: 'home',
    slug: 'home',
    at: '2026-08-26T01:00:00.000Z',
    draft: {
      title: 'North Quay Music',
      blocks: [
        { kind: 'hero', heading: 'Play for somebody', text: 'Shamisen, voice and reading, in a room above the ferry.' },
        { kind: 'course_grid', courses: 'all' },
        { kind: 'pricing', title: 'Practice room', offers: 'all' },
      ],
    },
    next: [{ do: 'publish', at: '2026-08-30T00:00:00.000Z' }],
  },
  {
    kind: 'terms',
    slug: 'terms',
    at: '2026-08-26T01:10:00.000Z',
    draft: terms('North Quay Music', 'Japan'),
    next: [{ do: 'publish', at: '2026-08-30T00:01:00.000Z' }],
  },
  {
    kind: 'custom',
    slug: 'visit',
    at: '2026-08-31T02:00:00.000Z',
    draft: {
      title: 'Come upstairs',
      blocks: [
        {
          kind: 'text',
          text: paragraphs('The blue door beside the ferry office, second floor. If you hear a horn, you are right.'),
        },
        musicContactForm,
      ],
    },
    next: [{ do: 'publish', at: '2026-08-31T02:30:00.000Z' }],
  },
];
