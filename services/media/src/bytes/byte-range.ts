import type { Part } from './file-store.ts';

/**
 * The part of a file that a Range header asks for; undefined when all of it is to be sent: there is no header, it is none
 * of one range of bytes, or it may be ignored. `none`: nothing of the file is in it.
 * @see RFC 9110 §14.1.2, §14.2
 */
export function partOf(header: string, size: number): Part | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 ? 'none' : { first: Math.max(0, size - Number(last)), last: size - 1 };
  const part = { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  if (last !== '' && Number(last) < part.first) return undefined;
  return part.first >= size ? 'none' : part;
}

/**
 * The part of a file of this size that a request brings, by its Content-Range; all of it without one. Undefined when it
 * does not say which.
 * @see RFC 9110 §14.4, §14.5
 */
export function partIn(header: string, size: number): Part | undefined {
  if (header === '') return { first: 0, last: size - 1 };
  const [, first, last, whole] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header.trim()) ?? [];
  const part = { first: Number(first), last: Number(last) };
  if (whole === undefined || part.last < part.first || part.last >= size) return undefined;
  return whole === '*' || Number(whole) === size ? part : undefined;
}
