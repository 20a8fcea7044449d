import { type Decider, type EventTypes, reject } from '@lyceum/kernel';
import {
  type BadgeEvent,
  type PersonEvent,
  type SchoolEvent,
  badgeEvents,
  oldPersonEvents,
  personEvents,
  schoolEvents,
} from './school.events.ts';

interface School {
  readonly url: string | undefined;
}

/** What may be done with a school. */
export type SchoolCommand = { readonly do: 'provision' | 'move'; readonly url: string };

export const school: Decider<School, SchoolCommand, SchoolEvent, 'exists' | 'unknown'> = {
  events: schoolEvents,
  initial: { url: undefined },
  decide({ do: what, url }, { url: now }) {
    if (what === 'provision')
      return now === undefined ? [{ type: 'SchoolProvisioned', data: { url } }] : reject('exists', 'It is there.');
    return now === undefined ? reject('unknown', 'There is none.') : [{ type: 'SchoolMoved', data: { url } }];
  },
  evolve: (_, { data: { url } }) => ({ url }),
};

interface Person {
  readonly handle: string | undefined;
  readonly notes: number;
}

/** What may be done with a person. */
export type PersonCommand =
  | { readonly do: 'add'; readonly handle: string; readonly name: string }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'note'; readonly poison: boolean };

type PersonRules = Decider<Person, PersonCommand, PersonEvent, 'exists' | 'unknown' | 'handle_taken'>;

const personRules = (events: EventTypes, renamed: (name: string) => PersonEvent): PersonRules => ({
  events,
  initial: { handle: undefined, notes: 0 },
  decide(command, { handle }) {
    if (command.do === 'add') {
      if (handle !== undefined) return reject('exists', 'They are there.');
      return [{ type: 'PersonAdded', data: { handle: command.handle, name: command.name } }];
    }
    if (handle === undefined) return reject('unknown', 'There is nobody.');
    if (command.do === 'rename') return [renamed(command.name)];
    return [{ type: 'PersonNoted', data: { poison: command.poison } }];
  },
  evolve: (state, event) => {
    if (event.type === 'PersonAdded') return { ...state, handle: event.data.handle };
    return event.type === 'PersonNoted' ? { ...state, notes: state.notes + 1 } : state;
  },
  claims: (event) =>
    event.type === 'PersonAdded' ? [{ kind: 'handle', value: event.data.handle, rejected: 'handle_taken' }] : [],
});

export const person: PersonRules = personRules(personEvents, (name) => ({
  type: 'PersonRenamed',
  data: { name, by: 'somebody' },
}));

export const oldPerson: PersonRules = personRules(
  oldPersonEvents,
  (name) => ({ type: 'PersonRenamed', data: { name } }) as PersonEvent,
);

export const badge: Decider<{ readonly isGiven: boolean }, { readonly person: string }, BadgeEvent> = {
  events: badgeEvents,
  initial: { isGiven: false },
  decide: ({ person }, { isGiven }) => (isGiven ? [] : [{ type: 'BadgeGiven', data: { person } }]),
  evolve: () => ({ isGiven: true }),
};
