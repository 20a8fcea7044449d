import { pageHeaders } from '../pages/headers.ts';
import type { PageSchool } from '../pages/models.ts';
import type { Texts } from '../pages/texts/texts.ts';
import type { Exchange, Reply } from './exchange.ts';

/** A page: a function of what it shows and of the sentences to say it with. */
export type Page<Model> = (model: Model, texts: Texts) => string;

/** A page in the reader's language and the school's colours, with the headers that every page has. */
export function pageReply<Model extends { readonly school?: PageSchool }>(
  exchange: Exchange,
  page: Page<Model>,
  shown: Omit<Model, 'school'>,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Reply {
  const { name, look } = exchange.school;
  const school: PageSchool = look ? { name, look } : { name };
  const model = { ...shown, school } as unknown as Model;
  return { status, headers: { ...pageHeaders(look), ...headers }, body: page(model, exchange.texts) };
}
