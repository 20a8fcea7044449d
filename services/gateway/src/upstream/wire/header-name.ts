import { serviceTokenHeader } from '@lyceum/internal-api';
import { byHeaderName } from '../../http/header-name-cache.ts';
import { BadAnswer } from './bad-answer.ts';

/** A header of answers by its name. */
export interface HeaderName {
  readonly lower: string;
  /** What it is read for; `dropped` concerns the connection to the service only. */
  readonly use: 'passed' | 'dropped' | 'length' | 'coding' | 'connection' | 'keep-alive';
}

const uses: Readonly<Record<string, HeaderName['use']>> = {
  'content-length': 'length',
  'transfer-encoding': 'coding',
  connection: 'connection',
  'keep-alive': 'keep-alive',
  'proxy-authenticate': 'dropped',
  'proxy-connection': 'dropped',
  te: 'dropped',
  trailer: 'dropped',
  upgrade: 'dropped',
  [serviceTokenHeader]: 'dropped',
};

const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** A name as it was sent. @see RFC 9110 §5.1 */
export const headerName = byHeaderName((lower): HeaderName => {
  if (!token.test(lower)) throw new BadAnswer('a header has no proper name');
  return { lower, use: Object.hasOwn(uses, lower) ? uses[lower]! : 'passed' };
});

const unfit = /[^\t\x20-\x7e\x80-\xff]/;

/** The value between two places of a head, without the white space around it. @see RFC 9110 §5.5 */
export function fieldOf(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const value = text.slice(start, end);
  if (unfit.test(value)) throw new BadAnswer('a header holds a character that is not allowed');
  return value;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;
