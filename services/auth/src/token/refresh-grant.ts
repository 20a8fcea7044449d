import { isScope } from '@lyceum/contracts';
import { isRejection } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { findAccount } from '../accounts/account-registry.ts';
import { grantable } from '../authorize/granting.ts';
import { ignoredScopes } from '../clients/client-metadata.ts';
import type { Exchange, Step } from '../endpoint/exchange.ts';
import { type Grant, grant, knowsRefresh } from '../grants/grant.ts';
import { newRefreshToken, readRefreshToken } from '../grants/refresh-token.ts';
import { sha256 } from '../sealing/digest.ts';
import { streamOf } from '../streams.ts';
import { read, seconds, write } from '../writing.ts';
import { answerTokens } from './token-response.ts';

const invalid = () => new Problem('invalid_grant');

/** The token is there. @see RFC 6749 §6 */
export const checkRefreshParameters: Step = (exchange) => {
  if (exchange.the('parameters').get('refresh_token') === undefined)
    throw new Problem('invalid_request', 'refresh_token is missing');
};

/**
 * Gives new tokens for a refresh token and rotates it. Scopes may shrink, also because the person's role did, and never
 * grow; the new refresh token keeps all that was granted. A token that was used before ends the grant.
 * @see RFC 6749 §6, RFC 9700 §4.14.2, RFC 8707 §2.2
 */
export const refreshTokens: Step = async (exchange) => {
  const { ports, school } = exchange;
  const presented = readRefreshToken(exchange.the('parameters').get('refresh_token')!);
  const known = presented && (await read(ports, grant, school.id, streamOf('grant', presented.grant)));
  if (!presented || !known || known.client !== exchange.the('client').id) throw invalid();
  if (!knowsRefresh(known, presented.hash)) throw invalid();
  if (known.refresh?.hash !== presented.hash) {
    await rotate(exchange, known, presented);
    throw invalid();
  }
  checkResource(exchange, known);
  const asked = askedScopes(exchange, known);
  const person = await findAccount(ports, school.id, known.account);
  if (!person) throw invalid();
  const scopes = grantable(asked, person.role);
  if (scopes.length === 0) throw new Problem('invalid_scope', 'None of these scopes is open to this person any more');
  const rotated = await rotate(exchange, known, presented);
  const { id, audience } = { id: presented.grant, audience: known.audience };
  await answerTokens(exchange, { ...rotated, id, audience, scopes, role: person.role, nonce: undefined });
};

/** @see RFC 6749 §6: the scope must not include any that was not originally granted */
function askedScopes(exchange: Exchange, known: Grant): readonly string[] {
  const text = exchange.the('parameters').get('scope');
  if (text === undefined) return known.scopes;
  const names = text.split(' ').filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (names.length === 0 || !names.every((name) => isScope(name) && known.scopes.includes(name)))
    throw new Problem('invalid_scope', 'A requested scope was not granted');
  return known.scopes.filter((scope) => names.includes(scope));
}

/** The audience of a grant never changes. @see RFC 8707 §2.2 */
function checkResource(exchange: Exchange, { audience }: Grant): void {
  const asked = new Set(exchange.the('parameters').all('resource'));
  if (asked.size > 0 && (asked.size !== audience.length || !audience.every((each) => asked.has(each))))
    throw new Problem('invalid_target', 'The resource of a grant cannot change');
}

/** Writes the rotation, or the reuse, whichever the stream of the grant shows. Throws `invalid_grant` for the latter. */
async function rotate(exchange: Exchange, known: Grant, presented: { readonly grant: string; readonly hash: string }) {
  const { ports, school, requestId } = exchange;
  const client = exchange.the('client').id;
  const now = seconds(ports.clock);
  const jti = ports.ids.secret(16);
  const refreshToken = newRefreshToken(ports.ids, presented.grant);
  const target = {
    school: school.id,
    stream: streamOf('grant', presented.grant)!,
    meta: { actor: known.account, client, correlation: requestId },
  };
  const command = { type: 'refresh', presented: presented.hash, jti, refreshHash: sha256(refreshToken), now } as const;
  const done = await write(ports, grant, target, command);
  if (isRejection(done) || !done.events.some(({ type }) => type === 'RefreshRotated')) throw invalid();
  return { grant: done.state!, jti, refreshToken, now };
}
