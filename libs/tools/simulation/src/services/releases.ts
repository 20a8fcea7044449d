import { type DomainEvent, type EventTypes, erasureEvents, uuidv5 } from '@lyceum/kernel';
import { execute } from '@lyceum/eventlog';
import type { ToFact, Reaction, Slice } from '@lyceum/service';
import { welcomeMails } from './welcome-mails.ts';
import { noteEvents, notes, welcome, welcomeEvents } from './notes.ts';
import { badgeEvents, oldPersonEvents, personEvents, reminderEvents, schoolEvents } from './school.events.ts';
import { counted, newPeople, oldPeople, renames } from './school.view.ts';

/** A release of the two services: what each of them is made of. */
export interface Release {
  readonly number: 1 | 2;
  readonly school: readonly Slice[];
  readonly notes: readonly Slice[];
}

/** Greets whoever was added, once and at once. */
const greeting: Reaction = {
  name: 'greeting',
  events: ['PersonAdded'],
  async perform({ tenant, stream }, { mail }) {
    await mail.send({
      to: `${stream}@greeting.${tenant}`,
      subject: 'hello',
      text: '',
      idempotencyKey: `greeting/${tenant}/${stream}`,
    });
  },
};

/** Welcomes whoever joined, in the log of the service. */
const welcoming: Reaction = {
  name: 'welcoming',
  source: 'school',
  events: ['MemberJoined'],
  async perform({ tenant, stream, at }, { log }) {
    const commitId = uuidv5('welcome', tenant, stream);
    const request = { tenant, stream: `welcome-${stream}`, command: null, at, meta: { actor: 'system' }, commitId };
    await execute(log, welcome, request);
  },
};

const crossSchool: ToFact = ({ type, data, stream }: DomainEvent & { stream: string }) => {
  if (type === 'PersonAdded') return { type: 'MemberJoined', data: { member_id: stream, role: 'member' } };
  if (type !== 'SchoolProvisioned' && type !== 'SchoolMoved') return undefined;
  const { url } = data as { url: string };
  const address = { host: url.slice(8), base_url: url };
  const plain = { slug: 'a', name: 'a', currency: 'EUR', locale: 'en', timezone: 'UTC' };
  return type === 'SchoolMoved' ? { type, data: address } : { type, data: { ...address, ...plain } };
};

const crossBadge: ToFact = ({ type, stream }) =>
  type === 'BadgeGiven' ? { type: 'DomainVerified', data: { domain: stream } } : undefined;

const roster = counted('roster', '', ['MemberJoined', 'DomainVerified']);

/** A slice that does nothing on its own. */
const slice = (name: string, events: EventTypes, more: Partial<Slice> = {}): Slice => ({
  name,
  operations: [],
  events,
  ...more,
});

const withErasures = (events: EventTypes): EventTypes => ({ ...events, ...erasureEvents });

const school = (people: EventTypes, projection: typeof newPeople): readonly Slice[] => [
  slice('school', schoolEvents, { toFact: crossSchool }),
  slice('people', withErasures({ ...people, ...reminderEvents }), {
    projections: [projection, renames(people)],
    reactions: [greeting],
    processes: [{ manager: welcomeMails as never }],
  }),
];

const noting: readonly Slice[] = [
  slice('notes', withErasures({ ...noteEvents, ...welcomeEvents }), {
    projections: [notes, counted('welcomes', 'welcome-', ['Welcomed'])],
    follows: [{ source: 'school', projection: roster }],
    reactions: [welcoming],
  }),
];

export const firstRelease: Release = { number: 1, school: school(oldPersonEvents, oldPeople), notes: noting };

export const secondRelease: Release = {
  number: 2,
  school: [
    ...school(personEvents, newPeople),
    slice('badges', badgeEvents, {
      toFact: crossBadge,
      projections: [counted('badges', 'badge-', ['BadgeGiven'])],
    }),
  ],
  notes: noting,
};
