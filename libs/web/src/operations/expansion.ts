import type { Scope } from '@lyceum/contracts';
import { z } from 'zod';

/** Something that an answer names by id and shows whole when it is asked for, e.g. the lecturers of a course. */
interface Expansion {
  /** What a token needs to see it; without a token it is what the public sees. */
  readonly scope: Scope;
  readonly reply: z.ZodType;
  /** What can be asked for in it in turn. */
  readonly within?: Expansions;
}

/** What `expand` knows for an answer, by the name that it has there. */
export type Expansions = Readonly<Record<string, Expansion>>;

/** A step down has the name of both: `lecturers.courses` needs the scopes of both. Two steps at most. */
export function scopesByName(expansions: Expansions): Readonly<Record<string, readonly Scope[]>> {
  const pairs = Object.entries(expansions).flatMap(([name, { scope, within = {} }]) => [
    [name, [scope]] as const,
    ...Object.entries(within).map(([below, inner]) => [`${name}.${below}`, [scope, inner.scope]] as const),
  ]);
  return Object.fromEntries(pairs);
}

/**
 * What is asked for below a name: the names without it, none for the thing alone; undefined when it is not asked for.
 * `lecturers.courses` asks for the lecturers too.
 */
export function expandedIn(wanted: readonly string[] | undefined, name: string): readonly string[] | undefined {
  const below = (wanted ?? []).filter((each) => each === name || each.startsWith(`${name}.`));
  return below.length === 0 ? undefined : below.flatMap((each) => each.split('.').slice(1));
}

/** The schema of a thing, or of each thing of an array, with what may be expanded in it. */
export function withExpansions(reply: z.ZodType, expansions: Expansions | undefined): z.ZodType {
  if (!expansions || Object.keys(expansions).length === 0) return reply;
  if (reply.def.type === 'array') return z.array(withExpansions((reply as z.ZodArray<z.ZodType>).element, expansions));
  const more = Object.entries(expansions).map(([name, { reply: thing, scope, within }]) => {
    const description = `With \`expand=${name}\` only; a token needs \`${scope}\`.`;
    return [name, withExpansions(thing, within).optional().meta({ description })] as const;
  });
  const id = reply.meta()?.id;
  const names = nameOf(expansions);
  const both = z.intersection(reply, z.object(Object.fromEntries(more)).meta({ id: `Expanded${names}` }));
  return id === undefined ? both : both.meta({ id: `${id}With${names}` });
}

/** What is expanded, as part of a name: two things that can be expanded alike have schemas that are alike. */
const nameOf = (expansions: Expansions): string =>
  Object.entries(expansions)
    .map(([name, { within = {} }]) => name.slice(0, 1).toUpperCase() + name.slice(1) + nameOf(within))
    .join('And');
