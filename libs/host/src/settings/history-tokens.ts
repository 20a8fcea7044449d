import type { HistoryReader } from '@lyceum/internal-api';
import { z } from 'zod';

const form = /^([a-z][a-z0-9-]{0,39})=([\x21-\x2b\x2d-\x7e]{32,})$/;

const readersOf = (text: string): readonly HistoryReader[] =>
  text.split(',').flatMap((entry) => {
    const [, name, token] = form.exec(entry.trim()) ?? [];
    return name === undefined || token === undefined ? [] : [{ name, token }];
  });

/** Whether each entry has a name and a token, and none of them comes twice. */
function isList(text: string): boolean {
  const readers = readersOf(text);
  const all = readers.flatMap(({ name, token }) => [name, token]);
  return readers.length === text.split(',').length && new Set(all).size === all.length;
}

/** The setting that lets programs of other teams read what services have published. */
export const historySettings = {
  HISTORY_TOKENS: z
    .string()
    .refine(
      isList,
      'name=token, several separated by commas, each with a name of its own (lower-case letters, digits and -) and a token of its own (at least 32 printable ASCII characters without spaces and commas, e.g. from: openssl rand -hex 32)',
    )
    .transform(readersOf)
    .optional()
    .meta({
      secret: true,
      description:
        'Who may read histories of integration events of this process, and nothing else; unset = nobody does',
    }),
} as const;

/** What is wrong with the tokens taken together with the others: variable and what would do. */
export function historyTokenProblems(env: Readonly<Record<string, unknown>>): [variable: string, expected: string][] {
  const others = ['SERVICE_TOKEN', 'OPERATOR_TOKEN'].filter((name) =>
    readersOf(String(env['HISTORY_TOKENS'] ?? '')).some(({ token }) => token === env[name]),
  );
  return others.map((name) => ['HISTORY_TOKENS', `other tokens than ${name}, which admits to more`]);
}
