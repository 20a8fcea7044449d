import type { ErrorCode } from '@lyceum/contracts';
import { pageHeaders } from '../../pages/layout/page-headers.ts';
import type { PageSchool } from '../../pages/models/page-models.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import type { Exchange, Reply } from '../exchange/exchange.ts';

/** A page: a function of what it shows and of the sentences to say it with. */
export type Page<Model> = (model: Model, texts: Texts) => string;

/** What the line of a request says of a form that is shown again: it was not filled in well, not believed, or sent too often. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'access_denied',
  429: 'rate_limited',
};

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
  const code = codeOfStatus[status];
  const body = page(model, exchange.texts);
  return { status, headers: { ...pageHeaders(look), ...headers }, body, ...(code === undefined ? {} : { code }) };
}
