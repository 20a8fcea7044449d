import type { DemoPost } from './demo-posts.ts';

/** Posts of Lantern Craft School: for everybody, for members and for plans, in every state. */
export const lanternPosts: readonly DemoPost[] = [
  {
    by: 'owner',
    author: 'ines-carvalho',
    cover: 'long-table',
    at: '2026-08-27T09:00:00.000Z',
    body: {
      slug: 'welcome',
      title: 'Welcome to the workshop',
      excerpt: 'Who we are, where the light switch is, and how to begin when you have never held a bone folder.',
      tags: ['school', 'paper'],
      body: `The workshop is one long table under four north windows, and since August it is also this site. You can fold along from your kitchen, and you are welcome at the long table whenever you are in Porto.

If you are new, begin with the free evening course. It takes one sheet of paper and about an hour, and at the end of it a star hangs in your window. If you like that hour, the foundations course is the next step: three lanterns, six weeks, and a teacher who answers.

Write under this post where you are folding from. We read everything, though not always before the paste is dry.`,
    },
    next: [
      { do: 'publish', at: '2026-08-28T08:00:00.000Z' },
      { do: 'pin', at: '2026-08-28T08:02:00.000Z' },
    ],
  },
  {
    by: 'lecturer',
    author: 'ines-carvalho',
    cover: 'river-walk',
    at: '2026-11-07T20:30:00.000Z',
    body: {
      slug: 'evening-at-the-river',
      title: 'An evening at the river',
      excerpt: 'Seven lanterns, one gust of wind and what it taught us about handles.',
      tags: ['events', 'lanterns'],
      body: `We met at the old fish steps at dusk, seven of us and nine lanterns, and walked upstream until the last tram turned.

The globes did best. They have no corners for the wind to hold. The tall house lanterns swung so hard that two candles went out, and one roof met the railing.`,
    },
    next: [
      { do: 'publish', at: '2026-11-08T08:00:00.000Z' },
      {
        do: 'rewrite',
        at: '2026-11-09T07:40:00.000Z',
        body: `We met at the old fish steps at dusk, seven of us and nine lanterns, and walked upstream until the last tram turned.

The globes did best. They have no corners for the wind to hold. The tall house lanterns swung so hard that two candles went out, and one roof met the railing.

What we will do differently next time: a handle that is fixed at two points instead of one, LED candles for everything taller than a hand and a half, and gloves. Thank you to everybody who carried matches.`,
      },
      { do: 'publish', at: '2026-11-09T07:45:00.000Z' },
    ],
  },
  {
    by: 'lecturer',
    author: 'tomas-reis',
    at: '2026-09-18T10:00:00.000Z',
    body: {
      slug: 'repairing-a-torn-lantern',
      title: 'Repairing a torn lantern',
      excerpt: 'A tear is not the end. A strip of thin paper, thin paste, and patience until morning.',
      tags: ['repair', 'paper'],
      visibility: 'members',
      body: `Lay the lantern on its side so that the tear lies flat and nothing pulls at it. Tear a strip of tengujo, do not cut it: a torn edge has fibres that lie down, a cut edge shows for ever.

Thin your paste until it runs off the brush like milk. Wet the strip, not the lantern. Put it down from the middle outwards and leave it alone. The light will find every fingerprint you add.

Dry it with the tear facing up, overnight, away from the stove. In the morning, hold a lamp inside. If you can see the repair only because you know where it is, you are done.`,
    },
    next: [{ do: 'publish', at: '2026-09-20T08:00:00.000Z' }],
  },
  {
    by: 'lecturer',
    author: 'ines-carvalho',
    at: '2026-10-02T16:00:00.000Z',
    body: {
      slug: 'indigo-diary',
      title: 'Indigo diary: the first vat',
      excerpt: 'Three weeks with a bucket that must not see air. A diary for those who have a plan.',
      tags: ['colour', 'diary'],
      visibility: 'plans',
      body: `Day one. The vat smells of a harbour at low tide, which the book says is right. The colour is a dull yellow-green, which the book says is right too.

Day four. First dip, a strip of kozo. It comes up green and turns blue while you look at it, as if somebody were breathing on it. The edge is darker where I held it.

Day nine. Five dips, rinsed between. Lit from behind it is the blue of a window half an hour after sunset. Mitsumata takes the colour more evenly, gampi hardly takes it at all.

Day twenty. The vat is tired. I fed it, warmed it, and apologised. Tomorrow we see.`,
    },
    next: [{ do: 'publish', at: '2026-10-03T08:00:00.000Z' }],
  },
  {
    by: 'lecturer',
    author: 'ines-carvalho',
    plans: ['yearly', 'lifetime'],
    at: '2026-10-21T09:30:00.000Z',
    body: {
      slug: 'colour-cards-for-kozo',
      title: 'Colour cards for kozo',
      excerpt: 'Forty-eight dyed samples, lit and unlit, with the recipe under each.',
      tags: ['colour', 'reference'],
      visibility: 'plans',
      comments_enabled: false,
      body: `Each card shows the same sheet twice: as it lies on the table, and with a lamp behind it. Choose by the second picture. A paper that looks tame in daylight may be far too loud at night.

Under each card stand the dye, its weight for a litre of water, the number of dips and what we rinsed with. Onion skin fades first: give it a year. Walnut has not moved since we began.`,
    },
    next: [{ do: 'publish', at: '2026-10-22T08:00:00.000Z' }],
  },
  {
    by: 'admin',
    at: '2026-08-30T12:00:00.000Z',
    body: {
      slug: 'opening-hours-in-summer',
      title: 'Opening hours in summer',
      excerpt: 'The workshop table is free on Tuesdays and Thursdays until the middle of September.',
      tags: ['school'],
      body: `Until 15 September the long table is open on Tuesdays and Thursdays from five to nine. Bring your own paper or buy it at the counter; paste and tools are there.

From the 16th we are back to our usual evenings.`,
    },
    next: [
      { do: 'publish', at: '2026-08-31T07:00:00.000Z' },
      { do: 'unpublish', at: '2026-09-16T07:00:00.000Z' },
    ],
  },
  {
    by: 'owner',
    at: '2026-11-16T11:00:00.000Z',
    body: {
      slug: 'the-parade-how-to-join',
      title: 'The parade: how to join',
      excerpt: 'Route, meeting point, and the one rule about flames.',
      tags: ['events', 'parade'],
      body: `Anybody who carries a lantern they made may walk with us. Children are welcome, dogs are too, and musicians more than anybody.

We meet an hour before dark at the fish steps. The route is flat and forty minutes long. The one rule: no open flames in anything taller than its carrier.

If you want to build something large, look at the winter group. It has few seats, and it fills.`,
    },
    next: [{ do: 'schedule', at: '2026-11-16T11:20:00.000Z', inDays: 21 }],
  },
  {
    by: 'lecturer',
    author: 'tomas-reis',
    at: '2026-11-20T15:10:00.000Z',
    body: {
      slug: 'what-bamboo-taught-us',
      title: 'What bamboo taught us this autumn',
      tags: ['bamboo', 'frames'],
      visibility: 'members',
      body: `Notes so far: split green, bend warm, bind dry. Add the photographs of the broken rib. Ask Oskar for his jig.`,
    },
    next: [],
  },
];
