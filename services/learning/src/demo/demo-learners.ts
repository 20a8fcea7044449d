import type { ItemType, Source } from '../grants/grant.ts';

/** What a quiz was answered with: all that is right, or nothing of it. */
export type DemoAnswers = 'right' | 'wrong';

/** How far somebody has come. They learn the next lesson that is open, one a day. */
export interface DemoProgress {
  /** Lessons that they complete, at most. */
  readonly lessons: number;
  /** Seconds into the next one, which they have only begun. */
  readonly begun?: number;
  /** Their attempts at the quiz, in order; one that is right when nothing is said. After a last wrong one they stop. */
  readonly attempts?: readonly DemoAnswers[];
  /** The staff took the certificate back. */
  readonly certificateRevoked?: true;
}

/** Somebody of a demo school, by the local part of their address, and what became of it. */
export interface DemoLearner {
  readonly member: string;
  readonly learnt?: DemoProgress;
  /** The staff took the access back, or its time was over, after twenty days. */
  readonly ended?: 'revoked' | 'expired';
}

/** A course, or something else that people were given, and who they are. */
export interface DemoItem {
  /** A course, unless it is said to be something else. */
  readonly item_type?: ItemType;
  readonly slug: string;
  readonly source: Source['source_type'];
  /** When the first of them began; the others follow, one a day. */
  readonly since: string;
  readonly learners: readonly DemoLearner[];
}

const only = (...members: readonly string[]): readonly DemoLearner[] => members.map((member) => ({ member }));

const lantern: readonly DemoItem[] = [
  {
    slug: 'foundations',
    source: 'staff',
    since: '2026-09-01T08:00:00.000Z',
    learners: [
      { member: 'ana.duarte', learnt: { lessons: 13, attempts: ['wrong', 'right'] } },
      { member: 'ben.okafor', learnt: { lessons: 5, begun: 120 } },
      { member: 'chiara.conti', learnt: { lessons: 14, certificateRevoked: true } },
      { member: 'dmitri.volkov', learnt: { lessons: 3 }, ended: 'revoked' },
      { member: 'elif.demir', learnt: { lessons: 13, attempts: ['wrong', 'wrong', 'wrong'] } },
      { member: 'femke.visser', learnt: { lessons: 13, attempts: ['wrong'] } },
      { member: 'gabriel.silva', learnt: { lessons: 8 }, ended: 'expired' },
      { member: 'hana.suzuki', learnt: { lessons: 0, begun: 60 } },
      ...only('uwe.brandt', 'yara.haddad'),
    ],
  },
  {
    slug: 'first-steps',
    source: 'free',
    since: '2026-08-28T17:00:00.000Z',
    learners: [
      { member: 'ivan.petrov', learnt: { lessons: 6 } },
      { member: 'jana.novak', learnt: { lessons: 5 } },
      { member: 'kofi.mensah', learnt: { lessons: 3, begun: 200 } },
      { member: 'lea.martin', learnt: { lessons: 1 } },
      ...only('mina.park', 'ana.duarte', 'nils.berg'),
    ],
  },
  {
    slug: 'field-guide',
    source: 'free',
    since: '2026-09-15T19:00:00.000Z',
    learners: [
      { member: 'olga.nowak', learnt: { lessons: 7 } },
      { member: 'pia.keller', learnt: { lessons: 2 } },
      ...only('quentin.roy', 'hana.suzuki'),
    ],
  },
];

const music: readonly DemoItem[] = [
  {
    slug: 'foundations',
    source: 'staff',
    since: '2026-09-02T08:00:00.000Z',
    learners: [
      { member: 'aoi.tanaka', learnt: { lessons: 4 } },
      { member: 'bram.de.wit', learnt: { lessons: 4, attempts: ['wrong', 'wrong'] } },
      { member: 'carla.ruiz', learnt: { lessons: 4, attempts: ['wrong', 'right'], certificateRevoked: true } },
      { member: 'daichi.sato', learnt: { lessons: 1, begun: 90 }, ended: 'expired' },
    ],
  },
  {
    slug: 'first-steps',
    source: 'free',
    since: '2026-09-03T08:00:00.000Z',
    learners: [{ member: 'carla.ruiz', learnt: { lessons: 1 } }, ...only('daichi.sato')],
  },
];

/**
 * Who was given what in the demo schools, and what they have learnt. Nobody who has an account: what they learn, visitors of the demo try for themselves.
 */
export const demoLearners: Readonly<Record<string, readonly DemoItem[]>> = {
  'lantern-craft': lantern,
  'north-quay': music,
};
