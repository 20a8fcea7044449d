import { isSecret } from '@lyceum/kernel';
import type { IncomingMessage } from 'node:http';

/** The header in which processes of one installation show the secret they share. The gateway takes it away from visitors. */
export const serviceTokenHeader = 'x-service-token';

/** A check whether a request comes from a process of the installation, in time that does not depend on what was sent. */
export function serviceTokenCheck(token: string): (request: Pick<IncomingMessage, 'headers'>) => boolean {
  const isToken = isSecret(token);
  return ({ headers }) => {
    const given = headers[serviceTokenHeader];
    return typeof given === 'string' && isToken(given);
  };
}

/** A reader of histories of integration events that is no service of the installation: a program of another team. */
export interface HistoryReader {
  readonly name: string;
  readonly token: string;
}

/**
 * The reader whose token a request shows, in time that does not depend on what was sent; undefined when it is none. It is
 * shown in the header of the service token.
 */
export function historyReaderCheck(
  readers: readonly HistoryReader[],
): (request: Pick<IncomingMessage, 'headers'>) => HistoryReader | undefined {
  const checks = readers.map((reader) => ({ reader, isToken: isSecret(reader.token) }));
  return ({ headers }) => {
    const given = headers[serviceTokenHeader];
    if (typeof given !== 'string') return undefined;
    // Each is compared, so that the time does not tell which it is.
    return checks.filter(({ isToken }) => isToken(given))[0]?.reader;
  };
}
