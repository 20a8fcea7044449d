/** What a demo order is about: the price as it was then, in minor units of the school's currency. */
export interface DemoItem {
  readonly item_type: 'course' | 'digital_product';
  readonly slug: string;
  readonly title: string;
  readonly price: number;
  /** Seats that there are; none when not given. */
  readonly seats?: number;
}

/** What became of a demo order. */
export type DemoFate =
  | 'pending'
  | 'paid'
  | 'given'
  | 'expired'
  | 'too late'
  | 'failed'
  | 'canceled'
  | 'refunded'
  | 'refunded in part'
  | 'one line refunded'
  | 'disputed'
  | 'dispute won'
  | 'charged back';

/** One order of the demo. */
export interface DemoOrder {
  /** Local part of the address of the member who buys. */
  readonly member: string;
  readonly items: readonly DemoItem[];
  readonly at: string;
  readonly fate: DemoFate;
  readonly coupon?: string;
  /** The member bought as a guest, and was found by the address. */
  readonly asGuest?: string;
}

interface Dealing {
  readonly items: readonly DemoItem[];
  readonly fate?: DemoFate;
  readonly coupon?: string;
  readonly asGuest?: string;
}

const day = 86_400_000;

/** Orders of a school, two days apart, in the order in which they are told. */
const dealings = (since: string, all: readonly (readonly [string, Dealing])[]): readonly DemoOrder[] =>
  all.map(([member, { fate = 'paid', ...dealing }], index) => ({
    member,
    fate,
    ...dealing,
    at: new Date(Date.parse(since) + index * 2 * day).toISOString(),
  }));

const foundations = (title: string, price: number): DemoItem => ({
  item_type: 'course',
  slug: 'foundations',
  title,
  price,
});

const lanterns = foundations('Paper lanterns: foundations', 4_900);
const group: DemoItem = {
  item_type: 'course',
  slug: 'winter-group',
  title: 'Festival lanterns: large frames',
  price: 12_900,
  seats: 3,
};
const templates = { item_type: 'digital_product', slug: 'templates' } as const;
const fox: DemoItem = { ...templates, title: 'Twelve lantern templates', price: 900 };

const course = { items: [lanterns] } as const;
const file = { items: [fox] } as const;
const both = { items: [lanterns, fox] } as const;

const lantern: readonly (readonly [string, Dealing])[] = [
  ['ana.duarte', { ...course, coupon: 'WELCOME10' }],
  ['ben.okafor', file],
  ['student', { ...course, fate: 'expired' }],
  ['chiara.conti', both],
  ['elif.demir', { ...course, coupon: 'WELCOME10' }],
  ['femke.visser', { ...file, fate: 'failed' }],
  ['femke.visser', file],
  // Bought twice by mistake: one was paid back, and the other opens the course as before.
  ['ana.duarte', { ...course, fate: 'refunded' }],
  ['hana.suzuki', file],
  ['ivan.petrov', { ...file, coupon: 'WELCOME10' }],
  ['jana.novak', { ...course, fate: 'canceled' }],
  ['jana.novak', file],
  ['kofi.mensah', { ...both, fate: 'one line refunded' }],
  ['lea.martin', file],
  ['mina.park', { ...course, fate: 'refunded in part' }],
  ['nils.berg', { ...file, asGuest: 'nils.berg@lantern.test' }],
  ['olga.nowak', { ...file, fate: 'expired' }],
  ['olga.nowak', { ...file, coupon: 'WELCOME10' }],
  ['pia.keller', { ...course, fate: 'charged back' }],
  ['quentin.roy', file],
  ['rosa.marin', file],
  ['sara.lind', { ...file, fate: 'refunded' }],
  ['wanda.kruk', { ...both, coupon: 'WELCOME10' }],
  ['uwe.brandt', file],
  ['student', { ...file, fate: 'canceled' }],
  ['lea.martin', { ...course, fate: 'too late' }],
  ['lea.martin', course],
  ['chiara.conti', { ...file, fate: 'given' }],
  ['elif.demir', file],
  // Two of the three seats of the group, the last of them with the coupon that is for one.
  ['rosa.marin', { items: [group] }],
  ['sara.lind', { items: [group], coupon: 'LASTSEAT' }],
  ['quentin.roy', { ...course, fate: 'dispute won' }],
  ['wanda.kruk', { ...file, fate: 'failed' }],
  ['hana.suzuki', { ...course, coupon: 'WELCOME10' }],
  ['ana.duarte', file],
  ['kofi.mensah', file],
  ['mina.park', file],
  ['pia.keller', file],
  ['ivan.petrov', { ...course, fate: 'disputed' }],
  ['olga.nowak', { ...course, fate: 'expired' }],
  ['nils.berg', { ...course, asGuest: 'Nils.Berg@lantern.test' }],
  ['jana.novak', { ...course, coupon: 'WELCOME10' }],
  ['ben.okafor', { ...course, fate: 'refunded' }],
  ['student', { ...course, fate: 'pending' }],
  ['quentin.roy', { ...file, fate: 'pending' }],
];

const shamisen = foundations('Shamisen: foundations', 6_800);
const paper: DemoItem = { ...templates, title: 'Blank notation paper', price: 500 };

const music: readonly (readonly [string, Dealing])[] = [
  ['aoi.tanaka', { items: [shamisen], coupon: 'WELCOME10' }],
  ['bram.de.wit', { items: [paper] }],
  ['carla.ruiz', { items: [shamisen, paper], coupon: 'LASTSEAT' }],
  ['student', { items: [shamisen], fate: 'expired' }],
  ['daichi.sato', { items: [paper], fate: 'failed' }],
  ['daichi.sato', { items: [paper] }],
  ['aoi.tanaka', { items: [paper], fate: 'refunded' }],
  ['bram.de.wit', { items: [shamisen], fate: 'refunded' }],
  ['bram.de.wit', { items: [shamisen] }],
  ['carla.ruiz', { items: [paper], fate: 'refunded in part' }],
  ['aoi.tanaka', { items: [shamisen, paper], fate: 'one line refunded' }],
  ['carla.ruiz', { items: [paper], fate: 'too late' }],
  ['daichi.sato', { items: [paper], fate: 'disputed' }],
  ['aoi.tanaka', { items: [paper], fate: 'charged back' }],
  ['bram.de.wit', { items: [paper], fate: 'dispute won' }],
  ['student', { items: [paper], fate: 'canceled' }],
  ['carla.ruiz', { items: [paper], fate: 'given' }],
  ['student', { items: [shamisen], fate: 'pending' }],
];

/** What was bought in the demo schools, by slug. */
export const demoOrders: Readonly<Record<string, readonly DemoOrder[]>> = {
  'lantern-craft': dealings('2026-08-24T10:15:00.000Z', lantern),
  'north-quay': dealings('2026-08-25T03:40:00.000Z', music),
};
