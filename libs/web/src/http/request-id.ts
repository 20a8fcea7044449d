import type { Ids } from '@lyceum/kernel';

const acceptable = /^[\w.:-]{1,64}$/;

/** The id of a request: the one in its `X-Request-Id`, when that is 1 to 64 letters, digits and `_ . : -`; a new one otherwise. */
export const requestIdOf = (sent: string | readonly string[] | undefined, ids: Pick<Ids, 'next'>): string =>
  typeof sent === 'string' && acceptable.test(sent) ? sent : ids.next('req');
