import type { z } from 'zod';
import type { createEventBody } from '../../calendar/calendar-event.schema.ts';

/** Somebody who registered: a member by the local part of their address, or a guest by name and address. */
export interface DemoRegistration {
  readonly member?: string;
  readonly guest?: { readonly name: string; readonly email: string };
  /** `waits`: all seats were taken; `came`: they were there; `canceled`: by themselves. They have a seat otherwise. */
  readonly fate?: 'waits' | 'came' | 'canceled';
}

/** One event of the demo, as a client would send it. Its times are counted from the day on which the demo begins. */
export interface DemoEvent {
  readonly body: Omit<z.input<typeof createEventBody>, 'starts_at' | 'ends_at' | 'lecturer_ids' | 'cover'> & {
    readonly slug: string;
  };
  readonly by: 'owner' | 'lecturer';
  readonly lecturer: string;
  /** The name of an image of the demo. */
  readonly cover?: string;
  /** Days from then; before it when it is negative. */
  readonly inDays: number;
  /** Hour of that day in UTC, and how many hours it lasts. */
  readonly hour: number;
  readonly hours: number;
  /** Why it was canceled, so many days before it would have been. */
  readonly canceled?: { readonly before: number; readonly note: string };
  /** One a day, beginning forty days before. */
  readonly registrations: readonly DemoRegistration[];
}

const members = (...names: readonly string[]): readonly DemoRegistration[] => names.map((member) => ({ member }));

const came = (...names: readonly string[]): readonly DemoRegistration[] =>
  names.map((member) => ({ member, fate: 'came' }));

/** Events of Lantern Craft School: one without a free seat, one that is over, one that was canceled, and one online. */
const lanternEvents: readonly DemoEvent[] = [
  {
    by: 'lecturer',
    lecturer: 'ines-carvalho',
    cover: 'long-table',
    inDays: 16,
    hour: 18,
    hours: 3,
    body: {
      slug: 'open-evening',
      title: 'Open evening: carp streamers',
      summary: 'Six places at the long table. You take home a carp that swims in any draught.',
      description:
        'We cut, print and glue a paper carp each, and hang it from the ceiling to see whether it swims.\n\nTea is there. Please wear something that may become blue.',
      timezone: 'Europe/Lisbon',
      mode: 'in_person',
      venue: { name: 'The workshop', address: 'Rua das Flores 12, Porto' },
      capacity: 6,
    },
    registrations: [
      ...members('ana.duarte', 'ben.okafor', 'chiara.conti', 'femke.visser', 'ivan.petrov'),
      { guest: { name: 'Rui Tavares', email: 'rui.tavares@visitors.test' } },
      { member: 'jana.novak', fate: 'waits' },
      { member: 'olga.nowak', fate: 'waits' },
      { guest: { name: 'Greta Holm', email: 'greta.holm@visitors.test' }, fate: 'waits' },
    ],
  },
  {
    by: 'lecturer',
    lecturer: 'ines-carvalho',
    cover: 'river-walk',
    inDays: -19,
    hour: 17,
    hours: 2,
    body: {
      slug: 'lantern-walk',
      title: 'Lantern walk along the river',
      summary: 'Bring what you have made, and carry it upstream at dusk.',
      description:
        'From the fish steps to the last tram stop, forty minutes on flat stones. LED candles are at hand for tall lanterns.',
      timezone: 'Europe/Lisbon',
      mode: 'in_person',
      venue: { name: 'The old fish steps', address: 'Cais da Ribeira, Porto' },
    },
    registrations: [
      ...came('ana.duarte', 'chiara.conti', 'elif.demir', 'hana.suzuki', 'kofi.mensah'),
      ...members('lea.martin'),
      { member: 'mina.park', fate: 'canceled' },
      { guest: { name: 'Rui Tavares', email: 'rui.tavares@visitors.test' }, fate: 'came' },
    ],
  },
  {
    by: 'owner',
    lecturer: 'tomas-reis',
    inDays: 5,
    hour: 14,
    hours: 4,
    canceled: { before: 12, note: 'The vat room is flooded. We will say here when it is dry again.' },
    body: {
      slug: 'dye-afternoon',
      title: 'Dye afternoon: onion and walnut',
      summary: 'Two colours from the kitchen, eight people, four hours.',
      description: 'We dye kozo and mitsumata with what is left over from lunch, and look at it with a lamp behind.',
      timezone: 'Europe/Lisbon',
      mode: 'in_person',
      venue: { name: 'The vat room', address: 'Rua das Flores 14, Porto' },
      capacity: 8,
    },
    registrations: members('nils.berg', 'pia.keller', 'quentin.roy', 'sara.lind'),
  },
  {
    by: 'lecturer',
    lecturer: 'ines-carvalho',
    inDays: 9,
    hour: 19,
    hours: 1,
    body: {
      slug: 'ask-ines',
      title: 'Ask Inês: an hour about paste',
      summary: 'Online. Bring the lantern that peels.',
      description:
        'Half an hour about rice paste, wheat paste and everything that people call glue, then your questions.\n\nWho registers gets the recording.',
      timezone: 'Europe/Lisbon',
      mode: 'online',
      join_url: 'https://meet.example.org/lantern/ask-ines',
      price: { amount: 1_200 },
    },
    registrations: [],
  },
];

/** Events of North Quay Music. One has the slug of an event of the other school. */
const musicEvents: readonly DemoEvent[] = [
  {
    by: 'lecturer',
    lecturer: 'ines-carvalho',
    inDays: 12,
    hour: 9,
    hours: 2,
    body: {
      slug: 'open-evening',
      title: 'Open evening: bring a song',
      summary: 'Four stands, four songs, and whoever listens.',
      timezone: 'Asia/Tokyo',
      mode: 'in_person',
      venue: { name: 'The room above the ferry office', address: null },
      capacity: 4,
    },
    registrations: [
      ...members('aoi.tanaka', 'bram.de.wit', 'carla.ruiz', 'daichi.sato'),
      { guest: { name: 'Emi Hara', email: 'emi.hara@visitors.test' }, fate: 'waits' },
    ],
  },
  {
    by: 'lecturer',
    lecturer: 'ines-carvalho',
    inDays: -10,
    hour: 8,
    hours: 1,
    body: {
      slug: 'ferry-concert',
      title: 'Concert on the four o’clock ferry',
      summary: 'Three players, one crossing.',
      timezone: 'Asia/Tokyo',
      mode: 'in_person',
      venue: { name: 'Upper deck, ferry line 2', address: null },
    },
    registrations: [...came('aoi.tanaka', 'carla.ruiz'), ...members('daichi.sato')],
  },
  {
    by: 'owner',
    lecturer: 'ines-carvalho',
    inDays: 20,
    hour: 11,
    hours: 1,
    body: {
      slug: 'tuning-clinic',
      title: 'Tuning clinic',
      summary: 'Online: hold your instrument to the camera.',
      timezone: 'Asia/Tokyo',
      mode: 'online',
      join_url: 'https://meet.example.org/north-quay/tuning',
      price: { amount: 1_500 },
    },
    registrations: [],
  },
];

/** The events of the demo schools, by slug. */
export const demoEvents: Readonly<Record<string, readonly DemoEvent[]>> = {
  'lantern-craft': lanternEvents,
  'north-quay': musicEvents,
};
