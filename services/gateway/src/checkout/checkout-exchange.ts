import type { IncomingMessage, ServerResponse } from 'node:http';
import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import { Problem, readBytes } from '@lyceum/web';
import { isUtf8 } from 'node:buffer';
import type { School } from '../routing/school.ts';
import { type Api, type ClientOf, apiOf, unknownCaller } from '../upstream/school-api.ts';
import type { Visitor } from './asking/visitor.ts';
import type { CheckoutPage } from './pages/markup.ts';

/** One request to the checkout, and who makes it. */
export interface CheckoutExchange {
  readonly request: IncomingMessage;
  readonly school: School;
  readonly requestId: string;
  readonly language: UiLanguage;
  readonly visitor: Visitor;
  /** The school's API for who makes the request: the checkout part of it only. */
  readonly own: Api;
  /** The same as anybody has it. */
  readonly open: Api;
}

/** What is answered: a page, or the way to another address. */
export type CheckoutAnswer = (
  { readonly status: number; readonly page: CheckoutPage } | { readonly status: 303; readonly location: string }
) & {
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
  /** Seconds after which the reader may try again. */
  readonly wait?: number;
  /** Not all of the request is read: the connection cannot be used again. */
  readonly close?: boolean;
};

/** The part of the API where the token of the page is good. */
const tokenPath = '/api/checkout';

/** What the page knows of a request when it knows who makes it. */
export function exchangeOf(
  clientOf: ClientOf,
  request: IncomingMessage,
  { school, requestId, visitor }: Pick<CheckoutExchange, 'school' | 'requestId' | 'visitor'>,
): CheckoutExchange {
  const caller = unknownCaller(request, { school, requestId, path: tokenPath });
  const language = uiLanguage({ accepted: request.headers['accept-language'], school: school.language });
  const open = apiOf(clientOf, caller);
  const own = visitor.member ? apiOf(clientOf, { ...caller, token: visitor.member.token }) : open;
  return { request, school, requestId, language, visitor, own, open };
}

/** The query of a request. */
export const queryOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): URLSearchParams => {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
};

/** Largest form of the checkout, bytes. */
const largestForm = 16 * 1024;

/** Reads a form; undefined when the body is none. Throws `payload_too_large`. */
export async function formOf(request: IncomingMessage, largest = largestForm): Promise<URLSearchParams | undefined> {
  const tooLarge = () => new Problem('payload_too_large', `The form is larger than ${largest} bytes`);
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  const isForm = type.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  if (!isForm || coding.toLowerCase() !== 'identity') return undefined;
  const body = await readBytes(request, largest, tooLarge);
  return isUtf8(body) ? new URLSearchParams(body.toString('utf8')) : undefined;
}

/** Writes an answer; to HEAD without its body. */
export function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: CheckoutAnswer): void {
  const { cookies = [], wait = 0, close = false } = answer;
  const isRead = request.complete || request.readableDidRead || request.method !== 'POST';
  const more = {
    ...(cookies.length > 0 ? { 'Set-Cookie': [...cookies] } : {}),
    ...(wait > 0 ? { 'Retry-After': String(wait) } : {}),
    ...(close || !isRead ? { Connection: 'close' } : {}),
  };
  if ('location' in answer) {
    response.writeHead(303, { Location: answer.location, 'Cache-Control': 'no-store', 'Content-Length': 0, ...more });
    response.end();
    return;
  }
  const body = Buffer.from(answer.page.html);
  response.writeHead(answer.status, { ...answer.page.headers, 'Content-Length': body.length, ...more });
  response.end(request.method === 'HEAD' ? undefined : body);
}
