import { type Projection, rowAs } from '@lyceum/documents';
import { execute } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, type EventOf, erasureEvents, personal, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, ProcessManager, Slice } from '@lyceum/service';
import { z } from 'zod';

/** The facts of a person. */
const personEvents = {
  PersonAdded: { version: 1, data: z.object({ name: personal(z.string(), '@stream') }) },
  PersonNoted: { version: 1, data: z.object({}) },
} as const;

type PersonEvent = EventOf<typeof personEvents>;

/** Adds a person, and notes them as often as somebody asks. */
export const person: Decider<number, { readonly name: string }, PersonEvent> = {
  events: personEvents,
  initial: 0,
  decide: ({ name }, count) => [
    count === 0 ? { type: 'PersonAdded', data: { name } } : { type: 'PersonNoted', data: {} },
  ],
  evolve: (count) => count + 1,
};

const followUps = {
  Reminded: { version: 1, data: z.object({}) },
  Greeted: { version: 1, data: z.object({}) },
} as const;

/** One event, written once whoever asks again. */
const once = (type: keyof typeof followUps): Decider<boolean, null, EventOf<typeof followUps>> => ({
  events: followUps,
  initial: false,
  decide: (_, isDone) => (isDone ? [] : [{ type, data: {} }]),
  evolve: () => true,
});

/** A person as the read model tells of them: which versions of their stream were applied. */
export interface PersonView {
  readonly name: string | null;
  readonly seen: readonly number[];
}

const view = { name: null, seen: [] };

/** The people of a school. */
export const people: Projection = {
  collection: { name: 'people', version: 1, fields: { name: 'text' } },
  key: ({ stream }) => (stream.startsWith('person-') ? stream : undefined),
  project({ type, data, version }, before) {
    const { name, seen } = rowAs<PersonView>(before) ?? view;
    return { name: type === 'PersonAdded' ? (data as { name: string }).name : name, seen: [...seen, version] };
  },
  erase: { documents: (subject) => [subject.replace('_', '-')], forget: (body) => ({ ...body, name: null }) },
};

/** Whom another service was told of. */
export const roster: Projection = {
  collection: { name: 'roster', version: 1, fields: {} },
  key: ({ stream, type }) => (type === 'MemberJoined' ? stream : undefined),
  project: ({ version }, before) => ({ seen: [...((before?.['seen'] as number[]) ?? []), version] }),
};

/** Reminds whoever was added, a moment later. */
const reminding: ProcessManager<null, DomainEvent, string, ModulePorts> = {
  name: 'reminding',
  events: {},
  initial: null,
  evolve: () => null,
  correlate: ({ type, stream }) => (type === 'PersonAdded' ? stream : undefined),
  react(input, _, now) {
    if (input.kind === 'event') return { set: { [input.event.stream]: new Date(Date.parse(now) + 50).toISOString() } };
    return input.kind === 'timer' ? { commands: [input.timer] } : {};
  },
  async carryOut(stream, { tenant, commitId, at, meta }, { log }) {
    const events = [{ stream: `reminder-${stream}`, type: 'Reminded', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};

/** A school: its people, what is told of them, and a process manager that reminds them. */
export const schoolSlices: readonly Slice[] = [
  {
    name: 'people',
    operations: [],
    events: { ...personEvents, ...followUps, ...erasureEvents },
    projections: [people],
    processes: [{ manager: reminding }],
    reactions: [greeting()],
    toFact: ({ type, stream }) =>
      type === 'PersonAdded' ? { type: 'MemberJoined', data: { member_id: stream, role: 'member' } } : undefined,
  },
];

/** A service that hears of people: a read model over their facts, and a reaction that answers each in its own log. */
export const courseSlices: readonly Slice[] = [
  {
    name: 'courses',
    operations: [],
    events: { ...followUps, ...erasureEvents },
    follows: [{ source: 'school', projection: roster }],
    reactions: [greeting('school')],
  },
];

/** Greets whoever was added, or joined in another service. */
function greeting(source?: 'school'): NonNullable<Slice['reactions']>[number] {
  return {
    name: 'greeting',
    ...(source ? { source } : {}),
    events: [source ? 'MemberJoined' : 'PersonAdded'],
    async perform({ tenant, stream, at }, { log }) {
      const commitId = uuidv5('greeting', tenant, stream);
      const request = { tenant, stream: `greeting-${stream}`, at, commitId, command: null, meta: { actor: 'system' } };
      await execute(log, once('Greeted'), request);
    },
  };
}
