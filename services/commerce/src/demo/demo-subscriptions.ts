/** What the staff or the member did to a demo subscription, so many days after it was begun. */
export interface DemoAct {
  readonly after: number;
  readonly do: 'pause' | 'cancel';
}

/** One subscription of the demo: whoever pays agrees to later payments by a card. */
export interface DemoSubscription {
  /** Local part of the address of the member. */
  readonly member: string;
  readonly plan: 'monthly' | 'yearly' | 'lifetime';
  /** Days before the demo begins at which it was asked for. */
  readonly ago: number;
  readonly coupon?: string;
  /** `declined`: the card pays nothing any more; `never`: nobody paid; `waits`: somebody still may. */
  readonly pays?: 'declined' | 'never' | 'waits';
  readonly act?: DemoAct;
}

/** One in each state, and one for life. The trial of the monthly plan is of fourteen days. */
const lantern: readonly DemoSubscription[] = [
  // Active, at half the price for three months.
  { member: 'ben.okafor', plan: 'monthly', ago: 78, coupon: 'FRIENDS' },
  // Canceled: it ended with the second month.
  { member: 'gabriel.silva', plan: 'monthly', ago: 76, act: { after: 50, do: 'cancel' } },
  // Lapsed: nothing was paid within two weeks after the trial.
  { member: 'kofi.mensah', plan: 'monthly', ago: 64, pays: 'declined' },
  { member: 'quentin.roy', plan: 'lifetime', ago: 60 },
  // Paused by the staff.
  { member: 'olga.nowak', plan: 'yearly', ago: 52, act: { after: 30, do: 'pause' } },
  // Expired.
  { member: 'mina.park', plan: 'yearly', ago: 31, pays: 'never' },
  // Past due: the third try to collect the first month has failed.
  { member: 'jana.novak', plan: 'monthly', ago: 20, pays: 'declined' },
  // In the trial.
  { member: 'lea.martin', plan: 'monthly', ago: 5 },
  // Incomplete.
  { member: 'nils.berg', plan: 'yearly', ago: 0, pays: 'waits' },
];

const music: readonly DemoSubscription[] = [
  { member: 'bram.de.wit', plan: 'monthly', ago: 77, coupon: 'FRIENDS' },
  { member: 'daichi.sato', plan: 'monthly', ago: 62, pays: 'declined' },
  { member: 'aoi.tanaka', plan: 'lifetime', ago: 48 },
  { member: 'carla.ruiz', plan: 'yearly', ago: 33, act: { after: 20, do: 'pause' } },
  { member: 'carla.ruiz', plan: 'monthly', ago: 6 },
];

/**
 * Who has which plan in the demo schools, by slug. Counted back from the day on which the demo begins: on a fixed date a trial
 * would be over, and what is due be paid or lapsed.
 */
export const demoSubscriptions: Readonly<Record<string, readonly DemoSubscription[]>> = {
  'lantern-craft': lantern,
  'north-quay': music,
};
