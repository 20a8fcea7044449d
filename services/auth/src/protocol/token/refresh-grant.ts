import { isScope } from '@lyceum/contracts';
import { isRejection } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { findAccount } from '../../domain/accounts/account-registry.ts';
import { signedOutSince } from '../../domain/accounts/signed-out-since.ts';
import { clientAllows } from '../../domain/clients/client-status.ts';
import { ignoredScopes } from '../../domain/clients/metadata/client-metadata.ts';
import { type Grant, grantDecider, knowsRefresh, mayBeRetry } from '../../domain/grants/grant.ts';
import { refreshRetriesDecider } from '../../domain/grants/refresh-retries.ts';
import { type PresentedRefresh, readRefreshToken, successorOf } from '../../domain/grants/refresh-token.ts';
import { foreignResource } from '../../domain/grants/resource.ts';
import { grantable } from '../../domain/grants/scopes.ts';
import { refreshRetriesStream, requireStream, streamOf } from '../../domain/streams.ts';
import { type Target, read, seconds, write } from '../../domain/write.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { slot } from '../../http/exchange/slot.ts';
import { sha256 } from '../../sealing/digest.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { answerTokens, makeTokens } from './token-response.ts';

/** The answer to a refresh was given once more. */
export const retriedSlot = slot<true>('the retry');

const invalid = () => new Problem('invalid_grant');

/** The token is there. @see RFC 6749 §6 */
export const checkRefreshParameters: Step = (exchange) => {
  if (exchange.require(parametersSlot).get('refresh_token') === undefined)
    throw new Problem('invalid_request', 'refresh_token is missing');
};

/**
 * Gives new tokens for a refresh token and rotates it. Scopes may shrink, also because the person's role did, and never
 * grow; the new refresh token keeps all that was granted. A token that was used before ends the grant, unless its answer
 * may have been lost: then the same tokens are given again, by id, lifetime and refresh token, signed once more. No answer
 * is kept for that.
 * @see RFC 6749 §6, RFC 9700 §4.14.2, RFC 8707 §2.2
 */
export const refreshTokens: Step = refusing(
  ['invalid_grant', 'invalid_scope', 'invalid_target', 'outcome_unknown'],
  async (exchange) => {
    const { ports, school } = exchange;
    const presented = readRefreshToken(exchange.require(parametersSlot).require('refresh_token'));
    const known = presented && (await read(ports, grantDecider, school.id, streamOf('grant', presented.grant)));
    if (!presented || !known || known.client !== exchange.require(clientSlot).id) throw invalid();
    if (!clientAllows(exchange.require(clientSlot), known.issued)) throw invalid();
    if (!knowsRefresh(known, presented.hash)) throw invalid();
    if (isSpent(exchange, known, presented)) {
      await rotate(exchange, known, presented, known.scopes);
      throw invalid();
    }
    await checkResource(exchange, known);
    const asked = askedScopes(exchange, known);
    const person = await findAccount(ports, school.id, known.account);
    if (!person || signedOutSince(person, known.issued)) throw invalid();
    const scopes = grantable(asked, person.role);
    if (scopes.length === 0) throw new Problem('invalid_scope', 'None of these scopes is open to this person any more');
    const rotated = await rotate(exchange, known, presented, asked);
    const given = { ...rotated, id: presented.grant, audience: known.audience, scopes, role: person.role };
    answerTokens(exchange, await makeTokens(exchange, { ...given, nonce: undefined }));
  },
);

const isSpent = ({ ports }: Exchange, known: Grant, { hash }: PresentedRefresh): boolean =>
  known.refresh?.hash !== hash && !mayBeRetry(known, hash, seconds(ports.clock), ports.refreshGrace);

/** @see RFC 6749 §6: the scope must not include any that was not originally granted */
function askedScopes(exchange: Exchange, known: Grant): readonly string[] {
  const text = exchange.require(parametersSlot).get('scope');
  if (text === undefined) return known.scopes;
  const names = text.split(' ').filter((name) => name !== '' && !ignoredScopes.includes(name));
  if (names.length === 0 || !names.every((name) => isScope(name) && known.scopes.includes(name)))
    throw new Problem('invalid_scope', 'A requested scope was not granted');
  return known.scopes.filter((scope) => names.includes(scope));
}

/**
 * The audience of a grant never changes; one that tokens may not be meant for any more, e.g. a domain that the school has
 * lost, gets none.
 * @see RFC 8707 §2, §2.2
 */
async function checkResource(exchange: Exchange, { audience }: Grant): Promise<void> {
  const asked = new Set(exchange.require(parametersSlot).all('resource'));
  if (asked.size > 0 && (asked.size !== audience.length || !audience.every((each) => asked.has(each))))
    throw new Problem('invalid_target', 'The resource of a grant cannot change');
  if ((await foreignResource(exchange.ports, exchange.school, audience)) !== undefined)
    throw new Problem('invalid_target', 'A resource of the grant is no API of this school any more');
}

/**
 * Writes the rotation, or the reuse, whichever the stream of the grant shows; a retry finds what was written. Throws
 * `invalid_grant` for reuse. A racer that lost waits for nothing: what it finds is all that an answer needs.
 */
async function rotate(exchange: Exchange, known: Grant, presented: PresentedRefresh, scopes: readonly string[]) {
  const { ports, school, requestId } = exchange;
  const meta = { actor: known.account, client: exchange.require(clientSlot).id, correlation: requestId };
  const target = { school: school.id, stream: requireStream('grant', presented.grant), meta };
  const refreshToken = await successorOf(ports.vault, school.id, presented);
  const done = await write(ports, grantDecider, target, {
    type: 'RefreshTokens',
    presented: presented.hash,
    jti: ports.ids.secret(16),
    refreshHash: sha256(refreshToken),
    scopes,
    grace: ports.refreshGrace,
    now: seconds(ports.clock),
  });
  if (isRejection(done)) throw invalid();
  const { state: grant } = done;
  const { rotation, refresh } = grant ?? {};
  // Another hash: the key of the school is not the one under which the successor was made.
  if (!grant || grant.revoked || rotation?.presented !== presented.hash || refresh?.hash !== sha256(refreshToken))
    throw invalid();
  // Those who race for a rotation in its own second all get its answer.
  if (done.events.length === 0 && seconds(ports.clock) > rotation.at)
    await countRetry(exchange, target, presented, rotation.at);
  return { grant, jti: rotation.jti, refreshToken, now: rotation.at };
}

/** Records a retry. One too many is no lost answer but a second holder of the token, and ends the grant. */
async function countRetry(exchange: Exchange, target: Target, { grant: id }: PresentedRefresh, at: number) {
  const { ports } = exchange;
  const counted = await write(
    ports,
    refreshRetriesDecider,
    { ...target, stream: refreshRetriesStream(id) },
    { type: 'RetryRefresh', at },
  );
  if (!isRejection(counted)) return exchange.set(retriedSlot, true);
  await write(ports, grantDecider, target, { type: 'ReportRefreshReuse', now: seconds(ports.clock) });
  throw invalid();
}
