import type { z } from 'zod';
import type { createCourseBody } from '../courses/course.schema.ts';

/** One course of the demo, as a client would send it. */
export interface DemoCourse {
  readonly body: z.input<typeof createCourseBody> & { readonly slug: string };
  /** RFC 3339: when the demo created it. */
  readonly at: string;
  /** When the demo published it; undefined = still a draft. */
  readonly published?: string;
  /** Taught by the demo account `lecturer@`. */
  readonly taught: boolean;
}

/** What a demo school teaches. Some slugs are in both schools: they are names within a school only. */
export interface DemoSchool {
  readonly slug: string;
  readonly currency: string;
  readonly courses: readonly DemoCourse[];
}

const lanterns: readonly DemoCourse[] = [
  {
    at: '2026-08-24T09:00:00.000Z',
    published: '2026-08-31T08:00:00.000Z',
    taught: true,
    body: {
      slug: 'foundations',
      title: 'Paper lanterns from scratch',
      subtitle: 'Frame, paper, light: a lantern that lasts',
      summary:
        'Build three lanterns in six weeks, from a folded globe to a framed floor lamp, with tools from any kitchen.',
      description: [
        {
          type: 'paragraph',
          text: [
            { text: 'You start with a single sheet of ' },
            { text: 'washi', marks: ['italic'] },
            { text: ' and end with a lamp you would give away with a heavy heart.' },
          ],
        },
        { type: 'heading', level: 2, text: [{ text: 'What you need' }] },
        {
          type: 'list',
          ordered: false,
          items: [
            [{ text: 'A sharp knife and a steel ruler' }],
            [{ text: 'Rice paste (we cook it in week one)' }],
            [{ text: 'Bamboo sticks, 3 mm' }],
          ],
        },
        {
          type: 'quote',
          text: [{ text: 'Light is the last material you add, and the first one you should think about.' }],
        },
      ],
      tags: ['paper', 'lanterns', 'beginner friendly'],
      category: 'Paper craft',
      level: 'beginner',
      language: 'en',
      certificate: true,
      access: 'paid',
      prices: [{ amount: 4900 }],
      access_days: 365,
      internal_note: 'Raise the price when lesson 12 is re-recorded.',
    },
  },
  {
    at: '2026-08-26T13:30:00.000Z',
    published: '2026-08-27T08:00:00.000Z',
    taught: true,
    body: {
      slug: 'first-steps',
      title: 'Fold your first lantern',
      subtitle: 'One evening, one sheet, one light',
      summary: 'A free evening course: fold a star lantern from one sheet of paper. No glue, no experience.',
      description:
        'Clear the table, put the kettle on and fold along.\n\nThe template prints on A4 and on Letter paper.',
      tags: ['paper', 'lanterns', 'free'],
      category: 'Paper craft',
      level: 'beginner',
      language: 'en',
      access: 'free',
    },
  },
  {
    at: '2026-09-07T10:15:00.000Z',
    published: '2026-09-14T08:00:00.000Z',
    taught: true,
    body: {
      slug: 'field-guide',
      title: 'A field guide to papers',
      summary:
        'Which paper for which light: forty sheets compared wet, dry, folded and lit. Open to everyone, without an account.',
      description:
        'Every sheet was photographed in the same box with the same candle, so you can compare what you see.',
      tags: ['paper', 'reference'],
      category: 'Materials',
      level: 'any',
      language: 'en',
      access: 'open',
    },
  },
  {
    at: '2026-10-12T11:00:00.000Z',
    published: '2026-10-19T08:00:00.000Z',
    taught: true,
    body: {
      slug: 'winter-group',
      title: 'Festival lanterns: large frames',
      subtitle: 'A small group builds for the February parade',
      summary: 'Three makers, one parade: design and build a lantern taller than yourself, with weekly reviews.',
      description: 'We meet on Thursdays. Between the meetings you build, and post one photograph a day.',
      tags: ['lanterns', 'group', 'advanced'],
      category: 'Group courses',
      level: 'advanced',
      language: 'en',
      access: 'presale',
      prices: [{ amount: 12900 }],
      presale_opens_at: '2026-10-19T08:00:00Z',
      enrollment_opens_at: '2027-01-11T08:00:00Z',
      enrollment_closes_at: '2027-01-31T22:00:00Z',
      seat_limit: 3,
    },
  },
  {
    at: '2026-11-09T15:45:00.000Z',
    taught: false,
    body: {
      slug: 'natural-dyes',
      title: 'Natural dyes for paper',
      summary: 'Onion skin, walnut and indigo: colours that stay when the light shines through.',
      tags: ['paper', 'colour'],
      category: 'Materials',
      access: 'paid',
      internal_note: 'Needs a price and a lecturer before it can be published.',
    },
  },
];

const music: readonly DemoCourse[] = [
  {
    at: '2026-08-25T01:00:00.000Z',
    published: '2026-09-01T00:00:00.000Z',
    taught: true,
    body: {
      slug: 'foundations',
      title: 'Shamisen: the first ten songs',
      subtitle: 'From holding the bachi to playing for friends',
      summary:
        'Ten songs in ten weeks on the three-stringed shamisen, taught slowly and filmed from the player’s side.',
      description: 'Every song comes with two tempos, a tuning drone and notation in both bunka-fu and staff.',
      tags: ['shamisen', 'strings'],
      category: 'Instruments',
      level: 'beginner',
      language: 'ja',
      certificate: true,
      access: 'paid',
      prices: [{ amount: 6800 }],
    },
  },
  {
    at: '2026-08-28T02:00:00.000Z',
    published: '2026-09-02T00:00:00.000Z',
    taught: true,
    body: {
      slug: 'first-steps',
      title: 'はじめての楽譜 Reading music, gently',
      summary: 'Twelve short lessons on reading notes and rhythms. Free with an account.',
      description: 'Five minutes a day. Clap, hum, then look.',
      tags: ['theory', 'free'],
      category: 'Theory',
      level: 'beginner',
      language: 'ja',
      access: 'free',
    },
  },
  {
    at: '2026-11-02T03:00:00.000Z',
    taught: true,
    body: {
      slug: 'harbour-choir',
      title: 'Harbour choir, spring term',
      summary: 'Four-part singing for people who think they cannot.',
      tags: ['voice', 'group'],
      category: 'Voice',
      access: 'members',
    },
  },
];

/** The demo schools and what they teach. */
export const demoSchools: readonly DemoSchool[] = [
  { slug: 'lantern-craft', currency: 'USD', courses: lanterns },
  { slug: 'north-quay', currency: 'JPY', courses: music },
];
