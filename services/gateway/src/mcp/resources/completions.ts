import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { money } from '../../discovery/text/money.ts';
import { rows, bodyIfFound } from '../tools/api-result.ts';
import { isPrompt } from './prompts.ts';
import type { CallContext } from '../server/server-definition.ts';

/** Values that one answer may hold. */
const most = 100;

const listOfTemplate: Readonly<Record<string, string>> = {
  'school://courses/{slug}': '/api/courses',
  'school://lecturers/{slug}': '/api/lecturers',
  'school://membership-plans/{slug}': '/api/membership_plans',
  'school://posts/{slug}': '/api/posts',
  'school://pages/{slug}': '/api/pages',
};

const known: Readonly<Record<string, readonly string[]>> = {
  level: ['beginner', 'intermediate', 'advanced', 'all'],
  weeks: ['2', '4', '6', '8', '12', '24'],
};

interface Asked {
  readonly ref?: { readonly type?: string; readonly uri?: string; readonly name?: string };
  readonly argument?: { readonly name?: string; readonly value?: string };
}

const slugs = async (path: string, { api }: CallContext): Promise<string[]> =>
  rows(bodyIfFound(await api(path, { query: { limit: most } }))).map((row) => String(row['slug']));

const titles = async ({ api }: CallContext): Promise<string[]> =>
  rows(bodyIfFound(await api('/api/courses', { query: { limit: most } }))).map((row) => String(row['title']));

/** What courses cost, cheapest first, as a person would name a budget. */
async function budgets({ api }: CallContext): Promise<string[]> {
  const courses = rows(bodyIfFound(await api('/api/courses', { query: { limit: most } })));
  const prices = courses.flatMap(({ prices: each = [] }) => each as { amount: number; currency: string }[]);
  return [...new Set(prices.sort((a, b) => a.amount - b.amount).map((price) => money(price)))];
}

/** Those that begin with what is typed come first, then those that hold it. */
function ranked(
  values: readonly string[],
  typed: string,
  prefix = '',
): { values: string[]; total: number; hasMore: boolean } {
  const want = typed.toLowerCase();
  const at = (value: string): number => value.toLowerCase().indexOf(want);
  const fitting = values.filter((value) => at(value) >= 0).sort((a, b) => Math.sign(at(a)) - Math.sign(at(b)));
  return {
    values: fitting.slice(0, most).map((value) => prefix + value),
    total: fitting.length,
    hasMore: fitting.length > most,
  };
}

const unknown = (what: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such ${what}`);

/**
 * Completes a variable of a resource template or an argument of a prompt, out of what the caller may see. What has no
 * completions has none; only a template or prompt that does not exist is an error.
 */
export async function complete({ ref, argument }: Asked, call: CallContext) {
  const { name = '', value = '' } = argument ?? {};
  if (ref?.type === 'ref/resource') {
    const uri = ref.uri ?? '';
    const list = Object.hasOwn(listOfTemplate, uri) ? listOfTemplate[uri] : undefined;
    if (list === undefined) throw unknown('template');
    return { completion: ranked(name === 'slug' ? await slugs(list, call) : [], value) };
  }
  if (!isPrompt(ref?.name ?? '')) throw unknown('prompt');
  if (name === 'slugs') {
    const before = value.slice(0, value.lastIndexOf(',') + 1);
    return { completion: ranked(await slugs('/api/courses', call), value.slice(before.length).trim(), before) };
  }
  if (name === 'goal') return { completion: ranked(await titles(call), value) };
  if (name === 'budget') return { completion: ranked(await budgets(call), value) };
  return { completion: ranked((Object.hasOwn(known, name) && known[name]) || [], value) };
}
