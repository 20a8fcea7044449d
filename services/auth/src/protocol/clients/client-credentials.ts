import { Problem } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import type { Parameters } from '../../http/exchange/parameters.ts';

/** What a client sent to prove who it is. */
export type Credentials =
  | { readonly by: 'none'; readonly id: string | undefined }
  | {
      readonly by: 'client_secret_post' | 'client_secret_basic';
      readonly id: string | undefined;
      readonly secret: string;
    }
  | { readonly by: 'private_key_jwt'; readonly id: string | undefined; readonly assertion: string }
  /** An Authorization header that cannot be read. */
  | { readonly by: 'unreadable' };

/** @see RFC 7523 §2.2 */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Reads how a client authenticates. Throws `invalid_request` when it does so in two ways.
 * @see RFC 6749 §2.3, §2.3.1, RFC 7521 §4.2
 */
export function readCredentials({ headers }: Pick<IncomingMessage, 'headers'>, parameters: Parameters): Credentials {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  const assertion = parameters.get('client_assertion');
  const { authorization = '' } = headers;
  const basic = /^basic(?:\s|$)/i.test(authorization);
  if ([basic, secret !== undefined, assertion !== undefined].filter(Boolean).length > 1)
    throw new Problem('invalid_request', 'The client authenticates in two ways; use one');
  if (basic) return readBasic(authorization, id);
  if (assertion !== undefined) {
    if (parameters.get('client_assertion_type') !== assertionType)
      throw new Problem('invalid_request', `client_assertion_type must be ${assertionType}`);
    return { by: 'private_key_jwt', id, assertion };
  }
  return secret === undefined ? { by: 'none', id } : { by: 'client_secret_post', id, secret };
}

/** Id and secret are form-encoded, then joined, then base64. @see RFC 6749 §2.3.1 */
function readBasic(header: string, named: string | undefined): Credentials {
  const text = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const pair = text === undefined ? '' : Buffer.from(text, 'base64').toString('utf8');
  const at = pair.indexOf(':');
  const [id, secret] = [formDecoded(pair.slice(0, Math.max(at, 0))), formDecoded(pair.slice(at + 1))];
  if (at < 1 || id === undefined || secret === undefined) return { by: 'unreadable' };
  if (named !== undefined && named !== id)
    throw new Problem('invalid_request', 'client_id and the Authorization header name two clients');
  return { by: 'client_secret_basic', id, secret };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
