import type { Call } from '../operations/operation.ts';

/** Seconds that a caller may wish to wait for a seat, and milliseconds that one waits who says nothing. */
const [longest, usual] = [10, 1_000];

/** Milliseconds. @see RFC 7240 §4.3 */
export const preferredWait = (prefer: string, longestSeconds: number): number =>
  Math.min(Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})/i.exec(prefer)?.[1] ?? 0), longestSeconds) * 1000;

/** What `Prefer` means to an operation whose answer may wait for a seat. @see RFC 7240 §4.3 */
export const seatWaitingHeaders = {
  Prefer:
    'How many seconds to wait for the seat, where there are so many: `wait=2`, at most 10, a second when not given. With `wait=0` or `respond-async` the answer does not wait (RFC 7240)',
} as const;

/** Milliseconds that a caller would wait for a seat. Nearly every one comes within the second of those who say nothing. */
export function patienceOf({ headers }: Pick<Call, 'headers'>): number {
  const prefer = headers['Prefer'] ?? '';
  if (/(?:^|[,;\s])wait\s*=/i.test(prefer)) return preferredWait(prefer, longest);
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(prefer) ? 0 : usual;
}

/** The header that says that the caller was waited for. */
export function appliedWait({ headers }: Pick<Call, 'headers'>): Readonly<Record<string, string>> {
  const wait = preferredWait(headers['Prefer'] ?? '', longest);
  return wait > 0 ? { 'Preference-Applied': `wait=${wait / 1_000}` } : {};
}
