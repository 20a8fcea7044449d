import type { Scope } from '@lyceum/contracts';
import type { english } from './en.ts';

type English = typeof english;

/** A sentence that depends on a number: one form for each plural category of the language. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** The sentences of one language. A key that is missing, or that English does not have, does not compile. */
export type Texts = {
  readonly [K in keyof English]: K extends 'scopes'
    ? Readonly<Record<Scope, string>>
    : K extends 'dir'
      ? 'ltr' | 'rtl'
      : English[K] extends string
        ? string
        : Plural;
};

/** The names of the slots in a sentence. */
export type Slots<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never;

type Keys<Of> = { [K in keyof English]: English[K] extends Of ? K : never }[keyof English];

/** A sentence without slots. */
export type PlainKey = { [K in Keys<string>]: [Slots<English[K]>] extends [never] ? K : never }[Keys<string>];

/** A sentence with slots, and what they are called. */
export type SentenceKey = Exclude<Keys<string>, PlainKey>;
export type SlotsOf<K extends SentenceKey | PluralKey> = English[K] extends { readonly other: infer Other }
  ? Exclude<Slots<Other>, 'count'>
  : Slots<English[K]>;

/** A sentence that depends on a `{count}`. */
export type PluralKey = Keys<{ readonly other: string }>;
