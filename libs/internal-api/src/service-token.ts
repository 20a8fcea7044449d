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
