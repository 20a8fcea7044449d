import type { DemoThread } from './demo-comments.ts';

/** What people say at Lantern Craft School: thirty comments, in every state. One is of a member who is erased since. */
export const lanternThreads: readonly DemoThread[] = [
  {
    on: { post: 'welcome' },
    since: '2026-08-28T18:20:00.000Z',
    comments: [
      {
        by: 'ana.duarte',
        text: 'Folding from a kitchen in Braga, with a cat who likes paste. Is rice paste bad for cats?',
        likes: ['ben.okafor', 'chiara.conti', 'hana.suzuki', 'student'],
        answers: [
          {
            by: 'lecturer',
            text: 'It is cooked rice and water, so no. But he will want more of it.',
            likes: ['ana.duarte'],
          },
          { by: 'chiara.conti', text: 'Mine only sits on the paper. Always on the sheet that is next.' },
        ],
      },
      {
        by: 'ben.okafor',
        text: 'Lagos here. Which paper would you take where the air is wet for nine months of the year?',
        likes: ['ana.duarte'],
        answers: [
          { by: 'second.lecturer', text: 'Kozo, and paste with a little alum in it. Store it flat, with camphor.' },
        ],
      },
      {
        by: 'sara.lind',
        text: 'Buy lantern kit cheap https://kits.example.org https://kits.example.org/2 https://kits.example.org/3 https://kits.example.org/4 and https://kits.example.org/5',
      },
      { by: 'pia.keller', text: 'Hello from Basel. I have never made anything. Is that a problem?', fate: 'waits' },
    ],
  },
  {
    on: { post: 'evening-at-the-river' },
    since: '2026-11-08T09:10:00.000Z',
    comments: [
      {
        by: 'kofi.mensah',
        text: 'The gust got mine at the bridge. I have the roof, if anybody found the house.',
        likes: ['elif.demir', 'lea.martin'],
        answers: [
          {
            by: 'elif.demir',
            text: 'The house is drying on my balcony. It looks better without a roof.',
            likes: ['kofi.mensah'],
          },
        ],
      },
      {
        by: 'hana.suzuki',
        text: 'Thank you for waiting for the slow ones.',
        edited: 'Thank you for waiting for the slow ones. Next time I bring a longer pole and a shorter friend.',
        likes: ['ana.duarte', 'kofi.mensah', 'elif.demir'],
      },
      {
        by: 'quentin.roy',
        text: 'People who use LED candles should not be allowed to walk with us. Shame on you.',
        fate: 'hidden',
        reports: [
          ['lea.martin', 'Rude'],
          ['kofi.mensah', 'Not kind'],
        ],
      },
      {
        by: 'mina.park',
        text: 'I had to cancel and now I regret it.',
        fate: 'deleted',
        answers: [{ by: 'lea.martin', text: 'There will be another one in spring.' }],
      },
    ],
  },
  {
    on: { post: 'repairing-a-torn-lantern' },
    since: '2026-09-21T17:00:00.000Z',
    comments: [
      {
        by: 'femke.visser',
        text: 'Torn edge instead of cut edge: I did not believe it, and now I cannot find my own repair.',
        likes: ['ana.duarte', 'jana.novak'],
      },
      {
        by: 'ivan.petrov',
        text: 'Works with tissue too, if the paste is even thinner.',
        reports: [['jana.novak', 'I think this is wrong: it dissolved for me']],
      },
      { by: 'jana.novak', text: 'Mine dissolved. Then I read the second paragraph again.', fate: 'deleted' },
    ],
  },
  {
    on: { post: 'indigo-diary' },
    since: '2026-10-04T06:45:00.000Z',
    comments: [
      {
        by: 'olga.nowak',
        text: 'Day nine is the best description of that blue I have read. How warm do you keep the vat?',
        answers: [
          {
            by: 'lecturer',
            text: 'Between 28 and 30 degrees, in a box with a hot-water bottle. It sleeps badly, and so do I.',
          },
        ],
      },
      { by: 'ben.okafor', text: 'More diaries, please.', likes: ['olga.nowak', 'quentin.roy'] },
    ],
  },
  {
    on: { course: 'first-steps' },
    since: '2026-09-12T18:30:00.000Z',
    comments: [
      {
        by: 'vera.lang',
        text: 'My star has nine points. I am keeping it.',
        answers: [{ by: 'lecturer', text: 'Nine is right for a window to the north. Keep it.' }],
      },
    ],
  },
  {
    on: { course: 'first-steps' },
    since: '2026-10-11T20:15:00.000Z',
    comments: [
      {
        by: 'jana.novak',
        text: 'Folded it during a power cut, by the light of the one before. I recommend that order.',
        likes: ['olga.nowak', 'femke.visser'],
      },
      {
        by: 'ivan.petrov',
        text: 'If you cannot fold a star in ten minutes, this is not for you.',
        reports: [
          ['jana.novak', 'Puts beginners off'],
          ['femke.visser', 'It took me an hour'],
          ['olga.nowak', 'Not helpful'],
        ],
      },
    ],
  },
  {
    on: { course: 'foundations', lesson: 'Finding the grain' },
    since: '2026-09-15T19:30:00.000Z',
    comments: [
      {
        by: 'elif.demir',
        text: 'At 3:10 it is hard to see which way the sheet curls. Could you film it from the side?',
        likes: ['femke.visser'],
        answers: [{ by: 'lecturer', text: 'You are right. I have added a picture from the side below the film.' }],
      },
      { by: 'uwe.brandt', text: 'Anyone selling their course login? Write to me.', fate: 'spam' },
    ],
  },
  {
    on: { course: 'foundations' },
    since: '2026-09-25T08:00:00.000Z',
    comments: [
      {
        by: 'wanda.kruk',
        text: 'Is the floor lamp in week three heavy? I live on the fifth floor without a lift.',
        answers: [{ by: 'admin', text: 'Less than a loaf of bread, with the shade. The bulb is the heaviest part.' }],
      },
      {
        by: 'rosa.marin',
        text: 'First lesson done! www.my-lantern-blog.example www.my-other-blog.example www.more.example www.and-more.example www.still-more.example',
      },
      { by: 'nils.berg', text: 'Do I need the tools before the first lesson?', fate: 'waits' },
    ],
  },
];
