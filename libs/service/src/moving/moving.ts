import type { NewEvent } from '@lyceum/eventlog';
import type { ToFact } from '../publishing/envelope.ts';
import type { Aggregate } from './aggregate.ts';

/** What leaves with a school only when it is asked for. */
export interface Asked {
  /** Personal data, and the key that opens it. */
  readonly personal: boolean;
  /** The keys with which the school's tokens are signed. */
  readonly signingKeys: boolean;
}

/** A school that arrives from another installation. */
export interface Arriving {
  readonly school: string;
  /** Names the departure: the same one may go on where it was cut off. */
  readonly departure: string;
  /** What `describe` gave where it came from. */
  readonly place: unknown;
  /** Where it is to be found here; where it was when not given. */
  readonly baseUrl: string | undefined;
}

/** Where a school that arrives will be found. */
export interface Place {
  /** Everything that the platform will know of it, but for people. */
  readonly profile: Readonly<Record<string, string>>;
  /** What will be its own on the whole platform, e.g. its hosts, by kind. */
  readonly claims: readonly { readonly kind: string; readonly value: string }[];
}

/** A school's place on the platform, as the module sees it that gives places. */
export interface SchoolPlaces {
  /** What another installation must know to give the school a place; undefined when there is no such school. */
  describe(school: string, asked: Asked): Promise<unknown>;
  /** The place that the school would get. Writes nothing. Throws a `Problem` when there is none for it. */
  consider(arriving: Arriving): Promise<Place>;
  /** Keeps a place for a school, which nobody can see yet. May be repeated. Throws a `Problem` when it is here, or its place is taken. */
  admit(arriving: Arriving): Promise<void>;
  /** All its commits are here: the school opens. May be repeated. */
  open(school: string): Promise<void>;
}

/** What a module has to do with schools that move between installations, beside its commits. */
export interface Moving {
  /** Whether a stream stays behind. */
  stays?(stream: string, asked: Asked): boolean;
  readonly places?: SchoolPlaces;
  /** An event as it is to be written where the school has this place: it may name where the school was. */
  settle?(event: NewEvent, school: string, place: Place): NewEvent;
}

/** What an import may write into the log of a service; nothing else is taken. */
export interface Arrivable {
  readonly aggregates: readonly Aggregate[];
  /** What is published of its events: an event that cannot be published is not imported. */
  readonly toFact?: ToFact;
}
