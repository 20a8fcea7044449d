import type { z } from 'zod';
import type { addLessonBody } from '../curriculum/curriculum.schema.ts';

/** One lesson of the demo: what a client would send, but for the section. `draft`: not published. `after`: waits for the lesson of that title. */
export interface DemoLesson extends Omit<z.input<typeof addLessonBody>, 'section_id' | 'position'> {
  readonly draft?: true;
  readonly after?: string;
}

/** A section of a demo course with its lessons. */
export interface DemoSection {
  readonly title: string;
  readonly lessons: readonly DemoLesson[];
}

const film = (title: string, minutes: number, more: Partial<DemoLesson> = {}): DemoLesson => ({
  title,
  type: 'video',
  duration_s: minutes * 60,
  body: `${title}: watch it once, then work along.`,
  ...more,
});

const page = (title: string, body: string, more: Partial<DemoLesson> = {}): DemoLesson => ({
  title,
  type: 'text',
  duration_s: 300,
  body,
  ...more,
});

const days = (count: number) => ({ release: { type: 'after_days', days: count } }) as const;

const paperQuiz = {
  max_attempts: 3,
  questions: [
    {
      id: 'grain',
      prompt: 'Which way does the grain of a ribbed lantern run?',
      choices: [
        { id: 'along', text: 'Along the ribs' },
        { id: 'across', text: 'Across the ribs' },
      ],
      answers: ['across'],
    },
    {
      id: 'flame',
      prompt: 'What keeps a paper lantern from burning?',
      choices: [
        { id: 'led', text: 'An LED candle' },
        { id: 'distance', text: 'A hand’s width to every flame' },
        { id: 'luck', text: 'Luck' },
      ],
      answers: ['led', 'distance'],
    },
  ],
};

const stringsQuiz = {
  max_attempts: 2,
  questions: [
    {
      id: 'lowest',
      prompt: 'Which string is the lowest?',
      choices: [
        { id: 'ichi', text: 'Ichi no ito' },
        { id: 'ni', text: 'Ni no ito' },
        { id: 'san', text: 'San no ito' },
      ],
      answers: ['ichi'],
    },
  ],
};

const lanterns: Readonly<Record<string, readonly DemoSection[]>> = {
  foundations: [
    {
      title: 'Week one: a folded globe',
      lessons: [
        film('Welcome to the workshop', 4, { preview: true }),
        page('Your tools', 'A sharp knife, a steel ruler, a bone folder. Nothing else has to be bought.', {
          preview: true,
        }),
        film('Cooking rice paste', 9),
        film('Scoring and folding', 14),
        film('Closing the globe', 11),
      ],
    },
    {
      title: 'Week two: ribs and grain',
      lessons: [
        film('Finding the grain', 8, days(7)),
        film('Splitting bamboo', 16, days(7)),
        film('Binding the ribs', 13, { after: 'Splitting bamboo' }),
        film('Papering a ribbed frame', 18, days(8)),
      ],
    },
    {
      title: 'Week three: light',
      lessons: [
        page('Safe light', 'A hand’s width to every flame, or an LED candle.', days(14)),
        film('Wiring a floor lamp', 17, days(14)),
        film('Hanging and standing', 7, days(15)),
        { title: 'What do you know of paper?', type: 'quiz', quiz: paperQuiz, pass_mark: 50, after: 'Safe light' },
        film('Your own design', 12, { ...days(16), required: false }),
      ],
    },
  ],
  'first-steps': [
    {
      title: 'Before you fold',
      lessons: [film('What you need', 2, { preview: true }), page('Print the template', 'On A4 or Letter, at 100 %.')],
    },
    {
      title: 'The star',
      lessons: [
        film('Eight folds', 9),
        film('Turn it inside out', 5),
        film('Light it', 3),
        page('And the next one', 'Fold it without looking.', { required: false }),
      ],
    },
  ],
  'field-guide': [
    {
      title: 'Thin papers',
      lessons: [
        page('Gampi', 'Glossy, strong, and clear when wet.', { preview: true }),
        page('Tengujo', 'The thinnest paper that can be made by hand.'),
        page('Tissue', 'Cheap, bright, and gone in the rain.'),
      ],
    },
    {
      title: 'Strong papers',
      lessons: [
        page('Kozo', 'Long fibres: it folds a thousand times.'),
        page('Mitsumata', 'Soft and dense, and insects leave it alone.'),
        page('Kraft', 'For models, and for lanterns that travel.'),
        page('Elephant hide', 'Folds like leather, glows like honey.'),
      ],
    },
  ],
  'winter-group': [
    {
      title: 'Design',
      lessons: [
        film('The parade and its route', 6, { preview: true }),
        page('Sketching for the dark', 'Draw with white on black.'),
        film('From sketch to frame', 15),
        {
          title: 'First meeting',
          type: 'live',
          duration_s: 5400,
          release: { type: 'at', time: '2027-01-14T18:00:00Z' },
        },
      ],
    },
    {
      title: 'Build',
      lessons: [film('Joints that hold in wind', 12), film('Carrying poles', 8), film('Papering together', 20)],
    },
    {
      title: 'Parade',
      lessons: [film('Lighting large frames', 10), page('What to bring', 'Gloves, tape, a spare candle, a friend.')],
    },
  ],
  'natural-dyes': [
    {
      title: 'Kitchen colours',
      lessons: [film('Onion skin', 9, { draft: true, preview: true }), film('Walnut', 11, { draft: true })],
    },
    {
      title: 'Indigo',
      lessons: [film('A small vat', 15, { draft: true }), film('Dip and wait', 8, { draft: true })],
    },
  ],
};

const music: Readonly<Record<string, readonly DemoSection[]>> = {
  foundations: [
    {
      title: 'The first song',
      lessons: [
        film('Holding the bachi', 6, { preview: true }),
        film('Sakura, slowly', 12),
        film('Sakura, in time', 9),
        { title: 'Which string is it?', type: 'quiz', quiz: stringsQuiz, pass_mark: 100, duration_s: 120 },
      ],
    },
  ],
  'first-steps': [{ title: 'Notes', lessons: [film('Clap and look', 5, { preview: true }), film('Hum and look', 5)] }],
  'harbour-choir': [{ title: 'Warming up', lessons: [film('Breath', 6, { draft: true })] }],
};

/** The lessons of the demo courses, by school and by slug of the course. */
export const demoLessons: Readonly<Record<string, typeof lanterns>> = {
  'lantern-craft': lanterns,
  'north-quay': music,
};
