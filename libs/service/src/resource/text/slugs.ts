import { isRejection, type Rejection } from '@lyceum/kernel';
import { z } from 'zod';
import { folded } from './unicode-fold.ts';

/** The path parameter that names a thing by id or slug; anything else names nothing. */
export const reference = (noun: string) =>
  z
    .string()
    .regex(new RegExp(`^(${noun}_[0-9a-f-]{36}|[a-z0-9-]{3,80})$`))
    .meta({ description: `Id or slug of the ${noun.replace('_', ' ')}.` });

/** The path parameter that names a thing of a kind without slugs. */
export const identifier = (noun: string) =>
  z
    .string()
    .regex(new RegExp(`^${noun}_[0-9a-f-]{36}$`))
    .meta({ description: `Id of the ${noun.replace('_', ' ')}.` });

/** What a new thing is called: a slug that must be free, or a title to derive a free one from. */
export type Naming = { readonly slug: string } | { readonly from: string };

/** The naming that a client asked for. */
export const namingOf = (slug: string | undefined, title: string): Naming =>
  slug === undefined ? { from: title } : { slug };

/**
 * Creates a thing under its name. A stated slug that is taken is the client's to resolve; a derived one gives way to the
 * next candidate.
 */
export async function createNamed<Done extends object, Code extends string>(
  naming: Naming,
  { id, noun }: { readonly id: string; readonly noun: string },
  create: (slug: string) => Promise<Done | Rejection<Code>>,
): Promise<Done | Rejection<Code>> {
  const [first, ...others] = 'slug' in naming ? [naming.slug] : slugCandidates(naming.from, id, noun);
  let outcome = await create(first!);
  for (const slug of others)
    if (isRejection(outcome) && outcome.rejected === 'slug_taken') outcome = await create(slug);
  return outcome;
}

const longest = 80;
const shortest = 3;

const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-$/, '');

/** The Latin letters and digits of a text, lower case, with hyphens between words; empty when it has none. */
const latin = (text: string): string =>
  folded(text)
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * Slugs to try for a title, best first: the title itself, then with a piece of the thing's id, short then long. A title
 * without Latin letters starts at the second, with `noun` instead. Deterministic.
 */
export function slugCandidates(title: string, id: string, noun: string): readonly string[] {
  const words = latin(title);
  const stem = words.length >= shortest ? words : words === '' ? noun : `${noun}-${words}`;
  const tail = id.slice(-12).toLowerCase();
  const suffixed = [tail.slice(-6), tail].map((suffix) => `${cut(stem, longest - 1 - suffix.length)}-${suffix}`);
  return words === '' ? suffixed : [cut(stem, longest), ...suffixed];
}
