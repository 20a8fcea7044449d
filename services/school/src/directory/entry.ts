import { type Claim, type Decider, reject } from '@lyceum/kernel';
import { type SchoolProfile, profileIn } from '../school/school.events.ts';
import { type EntryEvent, entryEvents } from './entry.events.ts';

/** The reserved tenant of what is unique on the whole platform. */
export const platformTenant = '_platform';

/** A school's place on the platform. `settled`: its own tenant has been told. */
export type EntryState = (SchoolProfile & { readonly school: string; readonly settled: boolean }) | undefined;

/** What may be asked of an entry. */
export type EntryCommand =
  | { readonly type: 'AdmitSchool'; readonly school: string; readonly profile: SchoolProfile }
  | { readonly type: 'RehostSchool'; readonly host: string; readonly base_url: string }
  | { readonly type: 'SettleSchool' };

/** Why the directory says no. */
export type EntryRejection = 'slug_taken' | 'host_taken' | 'not_found';

const [schoolPrefix, entryPrefix] = ['school_', 'entry_'];

/** The stream of a school's entry in `_platform`. */
export const entryStream = (school: string): string => entryPrefix + school.slice(schoolPrefix.length);

/** The school that an entry's stream is about; undefined when the stream is no entry. */
export const schoolOfEntry = (stream: string): string | undefined =>
  stream.startsWith(entryPrefix) ? schoolPrefix + stream.slice(entryPrefix.length) : undefined;

/** The kind of claims on hosts: of schools' own, and of the domains that they have proven. */
export const schoolHost = 'school-host';

const slugOf = (slug: string) => ({ kind: 'school-slug', value: slug });

/** The hosts at which a school answers: as it was given, and as its base URL says, in the form in which browsers send it. */
const hostsOf = ({ host, base_url }: { readonly host: string; readonly base_url: string }) => {
  const named = URL.canParse(base_url) ? new URL(base_url).host : host;
  return [...new Set([host, named])].map((value) => ({ kind: schoolHost, value }));
};

/** What belongs to the school at this place, and to no other on the platform. */
export const claimsOf = ({ slug, ...address }: Pick<SchoolProfile, 'slug' | 'host' | 'base_url'>) => [
  slugOf(slug),
  ...hostsOf(address),
];

/**
 * The directory's entry of one school. A commit touches one tenant only, so what is unique across schools is claimed
 * here first; then the school's own tenant is told, and the entry is settled. Each step may be repeated.
 */
export const entryDecider: Decider<EntryState, EntryCommand, EntryEvent, EntryRejection> = {
  events: entryEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'AdmitSchool')
      return state ? [] : [{ type: 'SchoolAdmitted', data: { ...command.profile, school: command.school } }];
    if (!state) return reject('not_found', 'There is no such school');
    if (command.type === 'SettleSchool') return state.settled ? [] : [{ type: 'SchoolSettled', data: {} }];
    const { host, base_url } = command;
    return state.host === host && state.base_url === base_url
      ? []
      : [{ type: 'SchoolRehosted', data: { host, base_url } }];
  },
  evolve(state, event) {
    if (event.type === 'SchoolAdmitted') return { ...profileIn(event.data), settled: false };
    if (event.type === 'SchoolSettled') return state && { ...state, settled: true };
    return state && { ...state, ...event.data, settled: false };
  },
  claims(event): readonly Claim<EntryRejection>[] {
    if (event.type === 'SchoolAdmitted')
      return [
        { ...slugOf(event.data.slug), rejected: 'slug_taken' },
        ...hostsOf(event.data).map((host) => ({ ...host, rejected: 'host_taken' }) as const),
      ];
    return event.type === 'SchoolRehosted'
      ? hostsOf(event.data).map((host) => ({ ...host, rejected: 'host_taken' }) as const)
      : [];
  },
  releases(event, before) {
    if (event.type !== 'SchoolRehosted' || !before) return [];
    const kept = new Set(hostsOf(event.data).map(({ value }) => value));
    return hostsOf(before).filter(({ value }) => !kept.has(value));
  },
};
