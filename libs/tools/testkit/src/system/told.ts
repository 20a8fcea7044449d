import { type Answer, call } from '../http/client.ts';

/** What a school answered, by what it was asked: its address stands in it as `{school}`. */
export type Told = Readonly<Record<string, unknown>>;

/**
 * Lists and things that are another at each question, or no JSON: streams, documents of the protocol, files, exports, and
 * figures that say until when they go.
 */
const passing = /^\/api\/(changes|oauth|analytics)\b|\/export$/;

const paged = 100;

/** Things of one list that are asked for by themselves, too. */
const most = 25;

const isList = ({ body }: Answer): boolean => Array.isArray(body?.data);

/**
 * The questions about everything that a school shows to the holder of a token: each list and each thing that its
 * description names by GET, and things of lists by their ids. Those that are refused are not among them.
 */
export async function questionsOf(baseUrl: string, token: string): Promise<readonly string[]> {
  const { body } = await call(`${baseUrl}/openapi.json`);
  const readable = Object.entries<Record<string, unknown>>(body.paths).flatMap(([path, methods]) =>
    path.startsWith('/api/') && methods['get'] && !passing.test(path) ? [path] : [],
  );
  const questions: string[] = [];
  for (const path of readable.filter((each) => !each.includes('{'))) {
    const answer = await call(`${baseUrl}${path}?limit=${paged}`, { token });
    const isWhole = answer.status === 400 && (await call(`${baseUrl}${path}`, { token })).status === 200;
    if (answer.status !== 200 && !isWhole) continue;
    questions.push(isList(answer) ? `${path}?limit=${paged}` : path);
    const below = readable.filter((each) => new RegExp(`^${path}/\\{\\w+\\}(?:/[a-z]+)?$`).test(each));
    const ids: string[] = isList(answer) ? answer.body.data.map(({ id }: { id: string }) => id) : [];
    for (const id of ids.filter(Boolean).slice(0, most))
      for (const each of below) {
        const question = each.replace(/\{\w+\}/, id);
        if ((await call(`${baseUrl}${question}`, { token })).status === 200) questions.push(question);
      }
  }
  return questions;
}

/** Asks, list after list to its end. Signatures of addresses differ at each answer, and are left out. */
export async function toldOf(baseUrl: string, token: string, questions: readonly string[]): Promise<Told> {
  const told: Record<string, unknown> = {};
  for (const question of questions) {
    const rows: unknown[] = [];
    let answer = await call(`${baseUrl}${question}`, { token });
    if (answer.status !== 200) throw new Error(`${question} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const first = answer;
    while (isList(answer) && answer.body.next_cursor) {
      rows.push(...answer.body.data);
      const cursor = encodeURIComponent(answer.body.next_cursor);
      answer = await call(`${baseUrl}${question}&cursor=${cursor}`, { token });
    }
    const body = isList(first) ? [...rows, ...answer.body.data] : first.body;
    const text = JSON.stringify(body)
      .replaceAll(baseUrl, '{school}')
      .replaceAll(/\/media\/files\/[^"]*/g, '/media/files/{signed}');
    told[question] = JSON.parse(text);
  }
  return told;
}

/**
 * What was told and is not any more, by its path. What is new beside it is no matter: fields that were not there, things in
 * lists, wherever they stand.
 */
export function untold(before: unknown, now: unknown, path = ''): readonly string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(now)) return [`${path}: ${JSON.stringify(now)} is no list`];
    return before.flatMap((each, index) => {
      const id = (each as { readonly id?: unknown } | null)?.id;
      const same = id === undefined ? now[index] : now.find((row: { readonly id?: unknown }) => row?.id === id);
      return untold(each, same, `${path}/${String(id ?? index)}`);
    });
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof now !== 'object' || now === null) return [`${path}: ${JSON.stringify(now)}`];
    return Object.entries(before).flatMap(([name, value]) =>
      untold(value, (now as Record<string, unknown>)[name], `${path}/${name}`),
    );
  }
  return before === now ? [] : [`${path}: ${JSON.stringify(before)} is now ${JSON.stringify(now)}`];
}
