import { lanternThreads } from './lantern-comments.ts';

/** What a comment of the demo is about, by slug or title. */
export type DemoHost =
  { readonly post: string } | { readonly course: string } | { readonly course: string; readonly lesson: string };

/** One comment of the demo. */
export interface DemoComment {
  /** Local part of the address of who wrote it. */
  readonly by: string;
  readonly text: string;
  /** What it says since its author changed it a few minutes later. */
  readonly edited?: string;
  /** `waits`: nobody has looked at it; `spam`, `hidden`: the staff said so; `deleted`: by its author. Others see it otherwise. */
  readonly fate?: 'waits' | 'spam' | 'hidden' | 'deleted';
  readonly likes?: readonly string[];
  /** Who reported it, and why. */
  readonly reports?: readonly (readonly [member: string, reason: string])[];
  readonly answers?: readonly DemoComment[];
}

/** What people of the demo say about one thing: one comment a day, and the answers to it every three hours. */
export interface DemoThread {
  readonly on: DemoHost;
  /** When the first of them was written. */
  readonly since: string;
  readonly comments: readonly DemoComment[];
}

/** What people say at North Quay Music. */
const musicThreads: readonly DemoThread[] = [
  {
    on: { post: 'welcome' },
    since: '2026-08-30T03:00:00.000Z',
    comments: [
      {
        by: 'aoi.tanaka',
        text: 'Found my grandfather’s shamisen behind the rice. It sounds like a door. Is there hope?',
        likes: ['bram.de.wit', 'carla.ruiz'],
        answers: [{ by: 'lecturer', text: 'There is always hope, and a new skin. Bring it.', likes: ['aoi.tanaka'] }],
      },
      { by: 'daichi.sato', text: 'Which ferry is the loud one?', fate: 'waits' },
    ],
  },
  {
    on: { course: 'first-steps' },
    since: '2026-09-06T04:00:00.000Z',
    comments: [
      { by: 'carla.ruiz', text: 'Clapping at six in the morning. My neighbours know the rhythm by now.' },
      { by: 'bram.de.wit', text: 'Wrong room, sorry.', fate: 'deleted' },
    ],
  },
  {
    on: { post: 'tuning-in-humid-weather' },
    since: '2026-09-26T05:00:00.000Z',
    comments: [
      { by: 'carla.ruiz', text: 'Letting the string fall back was what I had missed for a year.' },
      {
        by: 'bram.de.wit',
        text: 'Nobody needs to tune, it is only folk music.',
        fate: 'hidden',
        reports: [['carla.ruiz', 'Rude']],
      },
    ],
  },
];

/** What is said at the demo schools, by slug. */
export const demoThreads: Readonly<Record<string, readonly DemoThread[]>> = {
  'lantern-craft': lanternThreads,
  'north-quay': musicThreads,
};
