/** One submission of the demo, as a client would send it. */
export interface DemoSubmission {
  /** The slug of the page with the form, and its key there. */
  readonly page: string;
  readonly form: 'contact' | 'survey';
  readonly at: string;
  readonly answers: Readonly<Record<string, string | boolean>>;
  /** Local part of the address of the member who sent it; a visitor when not given. */
  readonly by?: string;
  /** Only of somebody who has an account: others of the demo may not have joined yet. */
  readonly consent?: true;
  /** Milliseconds that it took, where that is known. */
  readonly took?: number;
  /** Whether a field was filled in that people do not see. */
  readonly isTrapped?: true;
  /** What the staff did a day later. */
  readonly fate?: 'accepted' | 'deleted';
}

type Said = Omit<DemoSubmission, 'page' | 'form' | 'at'>;

/** Submissions of one form, some days apart. */
const sent = (
  form: DemoSubmission['form'],
  [since, days]: readonly [string, number],
  all: readonly Said[],
): readonly DemoSubmission[] =>
  all.map((said, index) => ({
    page: 'visit',
    form,
    at: new Date(Date.parse(since) + index * days * 86_400_000).toISOString(),
    ...said,
  }));

const contact = (name: string, email: string, topic: string, message: string, more: Partial<Said> = {}): Said => ({
  ...more,
  answers: { name, email, topic, message, ...more.answers },
});

const survey = (liked: string, remark: string, more: Partial<Said> = {}): Said => ({
  ...more,
  answers: { liked, remark, ...more.answers },
});

/** What visitors sent to Lantern Craft School: twenty, accepted, doubtful, spam and deleted. */
const lanternSubmissions: readonly DemoSubmission[] = [
  ...sent(
    'contact',
    ['2026-09-01T19:20:00.000Z', 5],
    [
      contact(
        'Tom Reed',
        'student@lantern.test',
        'A course',
        'Can I take the winter group after foundations, or is there something in between?',
        {
          by: 'student',
          consent: true,
          took: 84_000,
          answers: { programme: true },
        },
      ),
      contact(
        'Luísa Prado',
        'luisa.prado@visitors.test',
        'A visit',
        'We are four colleagues and would like to fold for an afternoon instead of bowling.',
        {
          took: 140_000,
          answers: { phone: '+351 22 555 01 42', visit_on: '2026-09-24' },
        },
      ),
      contact(
        'Best Rankings',
        'offers@rankings.test',
        'Something else',
        'First page in a week! https://rank.example.org https://rank.example.org/a https://rank.example.org/b https://rank.example.org/c https://rank.example.org/d',
      ),
      contact(
        'Hana Suzuki',
        'hana.suzuki@lantern.test',
        'A repair',
        'My globe was sat on. It is more of a plate now. Is there a chance?',
        {
          by: 'hana.suzuki',
          took: 61_000,
        },
      ),
      contact(
        'Otto Brand',
        'otto.brand@visitors.test',
        'A course',
        'Is the certificate accepted by my employer as further training?',
        {
          took: 52_000,
        },
      ),
      contact('x', 'x@visitors.test', 'Something else', 'test', { took: 700, fate: 'deleted' }),
      contact('Maria Sousa', 'maria.sousa@visitors.test', 'A visit', 'Is the staircase possible with a stroller?', {
        took: 1_400,
        fate: 'accepted',
      }),
      contact('Casino', 'win@casino.test', 'Something else', 'You have won.', { isTrapped: true, took: 300 }),
      contact(
        'Ben Okafor',
        'ben.okafor@lantern.test',
        'A course',
        'Please tell me when the dye course opens. I have the onions.',
        {
          by: 'ben.okafor',
          took: 73_000,
        },
      ),
      contact(
        'Jean Petit',
        'jean.petit@visitors.test',
        'A repair',
        'A silk lantern, one rib broken. I can send a photograph.',
        {
          took: 96_000,
          answers: { phone: '+33 1 55 55 01 07' },
        },
      ),
      contact(
        'Klara Vogt',
        'klara.vogt@visitors.test',
        'A visit',
        'We come to Porto in November and would like to see the river walk.',
        {
          took: 118_000,
          answers: { visit_on: '2026-11-07' },
        },
      ),
      contact(
        'Paper Mill',
        'sales@mill.test',
        'Something else',
        'offer offer offer offer offer offer offer offer offer offer offer offer offer',
        {
          took: 900,
        },
      ),
      contact(
        'Amir Nasser',
        'amir.nasser@visitors.test',
        'Something else',
        'You asked for stories: my mother made lanterns from cement bags.',
        {
          took: 1_100,
        },
      ),
      contact('Ruth Adler', 'ruth.adler@visitors.test', 'A course', 'Wrong school, please delete this.', {
        took: 43_000,
        fate: 'deleted',
      }),
    ],
  ),
  ...sent(
    'survey',
    ['2026-09-29T18:00:00.000Z', 2],
    [
      survey('Good', 'More light at the end of the table.', { took: 22_000 }),
      survey('Good', 'Nothing. Perhaps a second kettle.', {
        took: 31_000,
        answers: { email: 'luisa.prado@visitors.test' },
      }),
      survey('So-so', 'The stairs. We knew, but still.', { took: 40_000 }),
      survey('Good', 'Longer than two hours, please.', { by: 'chiara.conti', took: 28_000 }),
      survey('Not good', 'I was told there would be indigo.', {
        took: 35_000,
        answers: { email: 'otto.brand@visitors.test' },
      }),
      survey('Good', 'My child has written on this tablet, sorry.', { took: 15_000, fate: 'deleted' }),
    ],
  ),
];

/** What visitors sent to North Quay Music. */
const musicSubmissions: readonly DemoSubmission[] = sent(
  'contact',
  ['2026-09-08T09:00:00.000Z', 9],
  [
    {
      answers: {
        name: 'Ines Duarte',
        email: 'student@northquay.test',
        message: 'Something that my choir can clap to.',
      },
      by: 'student',
      took: 40_000,
    },
    {
      answers: { name: 'Emi Hara', email: 'emi.hara@visitors.test', message: 'The song from the ferry advertisement.' },
      took: 52_000,
    },
    { answers: { name: 'Loud', email: 'loud@visitors.test', message: 'Buy speakers.' }, isTrapped: true },
    {
      answers: {
        name: 'Jun Okada',
        email: 'jun.okada@visitors.test',
        message: 'Nothing, I only wanted to see the form.',
      },
      took: 61_000,
      fate: 'deleted',
    },
  ],
);

/** What visitors of the demo schools sent, by slug. */
export const demoSubmissions: Readonly<Record<string, readonly DemoSubmission[]>> = {
  'lantern-craft': lanternSubmissions,
  'north-quay': musicSubmissions,
};
