import type { EventContext } from './decider.ts';
import type { DomainEvent } from './events.ts';
import { same } from '../json-equality.ts';

/** What every thing has, whatever else it is. Times are RFC 3339; `version` is that of its stream. */
export interface Recorded {
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** Something that a slug names. */
export interface Named {
  readonly slug: string;
  /** Every slug it ever had, newest last: the older ones redirect. */
  readonly slugs: readonly string[];
}

/** The slugs of a new thing. */
export const named = (slug: string): Named => ({ slug, slugs: [slug] });

/** The thing under a new slug. */
export const renamed = <Thing extends Named>(thing: Thing, slug: string): Thing => ({
  ...thing,
  slug,
  slugs: [...thing.slugs.filter((old) => old !== slug), slug],
});

/** The times of a thing that no event has been folded into yet. */
export const unrecorded: Recorded = { created_at: '', updated_at: '', version: 0 };

/**
 * Folds events as the log recorded them: the times and the version, which only the log knows, follow from `created` (the
 * type of the first event) and, for things that are published, `published`.
 */
export const recording =
  <Thing extends Recorded & { readonly published_at?: string | null }, Event extends DomainEvent>(
    apply: (state: Thing | null, event: Event, context: EventContext) => Thing | null,
    { created, published }: { readonly created: Event['type']; readonly published?: Event['type'] },
  ) =>
  (state: Thing | null, event: Event, context: EventContext): Thing | null => {
    const { at, version } = context;
    const next = apply(state, event, context);
    return (
      next && {
        ...next,
        created_at: event.type === created ? at : next.created_at,
        ...(event.type === published ? { published_at: next.published_at ?? at } : {}),
        updated_at: at,
        version,
      }
    );
  };

/** The members of `wanted` whose JSON is another one than in `before`; undefined when there is none. */
export function differences<Wanted extends object>(before: object, wanted: Wanted): Partial<Wanted> | undefined {
  const different = Object.entries(wanted).filter(([name, value]) => !same(value, Reflect.get(before, name)));
  return different.length === 0 ? undefined : (Object.fromEntries(different) as Partial<Wanted>);
}
