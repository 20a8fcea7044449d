import { z } from 'zod';
import { type Expansions, scopesByName } from '../operations/expansion.ts';

/** The custom issue of a name that is not one of the known: such a request is not understood. */
export const unknownName = 'unknown_name';

/** Where the JSON of a parameter keeps the names that it takes, separated by commas. */
export const takesNames = 'x-names';

/** Where the JSON of a parameter says that what it does not name is left out of the answer, required or not. */
export const selects = 'x-selects';

/** Names separated by commas, each of them known. */
const namesOf = (parameter: string, names: readonly string[]) =>
  z.string().transform((list, { addIssue }) => {
    const wanted = [...new Set(list.split(','))];
    if (wanted.every((name) => names.includes(name))) return wanted;
    const message = `${parameter} takes names separated by commas. There are: ${names.join(', ')}`;
    addIssue({ code: 'custom', params: { code: unknownName }, message });
    return z.NEVER;
  });

/** The query parameter by which a caller takes some fields only of a thing, or of each thing of a list. */
export const fieldsOf = (item: z.ZodObject) => {
  const names = Object.keys(item.shape);
  const description = `Answers with these fields only, beside ${always.join(', ')} and what is expanded. The schema of the answer is that of the whole thing: with \`fields\`, all other members are absent, also those that it requires`;
  const fields = namesOf('fields', names).meta({ description, [takesNames]: names, [selects]: true });
  return { fields: fields.optional() };
};

/** The query parameter by which a caller gets things whole that an answer names by id. */
export const expandOf = (expansions: Expansions) => {
  const scopes = scopesByName(expansions);
  const needs = Object.entries(scopes).map(([name, each]) => `\`${name}\` (${each.join(', ')})`);
  const description = `Things to show whole that are else named by id, with the scopes that a token needs: ${needs.join(', ')}. They follow writes with a short delay, and such an answer has no ETag`;
  const names = Object.keys(scopes);
  const expand = namesOf('expand', names).meta({ description, [takesNames]: names });
  return { expand: expand.optional() };
};

/** What nobody can leave out. */
const always: readonly string[] = ['id', 'object', 'view'];

/** What the query of any operation may ask for, after parsing. */
interface Asked {
  readonly fields?: readonly string[];
  readonly expand?: readonly string[];
  readonly limit?: number;
  readonly cursor?: string;
}

/** The same of a query that its own schema has parsed. */
export const askedIn = (query: unknown): Asked => query ?? {};

type Thing = Readonly<Record<string, unknown>>;

/** The answer with the fields that the query asks for; a list with those of each thing in it. */
export function selected(body: unknown, query: unknown, lists: boolean): unknown {
  const { fields, expand = [] } = askedIn(query);
  if (!fields) return body;
  const kept = new Set([...always, ...fields, ...expand.flatMap((name) => name.split('.', 1))]);
  const picked = (thing: Thing): Thing => Object.fromEntries(Object.entries(thing).filter(([name]) => kept.has(name)));
  return lists ? { ...(body as Thing), data: (body as { data: Thing[] }).data.map(picked) } : picked(body as Thing);
}
