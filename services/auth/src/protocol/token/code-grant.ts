import { EphemeralUnavailable } from '@lyceum/ephemeral';
import { isRejection } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { findAccount } from '../../domain/accounts/account-registry.ts';
import { signedOutSince } from '../../domain/accounts/signed-out-since.ts';
import { clientAllows } from '../../domain/clients/client-status.ts';
import {
  type CodeRecord,
  type CodeState,
  markCodeRedeemed,
  countFailedCheck,
  findCode,
} from '../../domain/grants/authorization-codes.ts';
import { type Grant, grantDecider } from '../../domain/grants/grant.ts';
import { newRefreshToken } from '../../domain/grants/refresh-token.ts';
import { foreignResource, mostResources } from '../../domain/grants/resource.ts';
import { grantable } from '../../domain/grants/scopes.ts';
import { requireStream, streamOf } from '../../domain/streams.ts';
import { read, seconds, write } from '../../domain/write.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { sameText, sha256 } from '../../sealing/digest.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { answerTokens, makeTokens } from './token-response.ts';

const invalid = () => new Problem('invalid_grant');

/** Everything that a redemption needs is there and well-formed. @see RFC 6749 §4.1.3, RFC 7636 §4.1, §4.5 */
export const checkCodeParameters: Step = (exchange) => {
  const parameters = exchange.require(parametersSlot);
  const proof = exchange.require(clientSlot).metadata.require_pkce === false ? [] : ['code_verifier'];
  for (const name of ['code', 'redirect_uri', ...proof])
    if (parameters.get(name) === undefined) throw new Problem('invalid_request', `${name} is missing`);
  const verifier = parameters.get('code_verifier');
  if (verifier !== undefined && !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier))
    throw new Problem('invalid_request', 'code_verifier must be 43 to 128 unreserved characters');
};

/**
 * Redeems a code, once. Checks that fail leave it as it is (the fifth burns it); a stranger's attempt revokes nothing;
 * the second attempt of its own client revokes the grant and with it every token. The stream of the grant says which is
 * the first, so a crash before it is written leaves the code good.
 * @see RFC 6749 §4.1.2, §4.1.3, RFC 7636 §4.6, RFC 8707 §2.2
 */
export const redeemCode: Step = refusing(
  ['invalid_grant', 'invalid_scope', 'invalid_target', 'outcome_unknown'],
  async (exchange) => {
    const { ports, school } = exchange;
    const code = exchange.require(parametersSlot).require('code');
    const found = await findCode(ports, school.id, code);
    if (found.state !== 'live') return refuseUsed(exchange, found);
    const misfit = misfitOf(exchange, found.record);
    if (misfit) {
      await countFailedCheck(ports, school.id, code, found.record);
      throw misfit;
    }
    const granted = await read(ports, grantDecider, school.id, streamOf('grant', found.record.grant));
    if (!granted || !clientAllows(exchange.require(clientSlot), granted.issued)) throw invalid();
    const audience = await audienceOf(exchange, granted);
    const { role, scopes } = await currentScopes(exchange, granted);
    await giveTokens(exchange, found.record, { granted, audience, role, scopes });
  },
);

/**
 * Why a live code is refused. Only its own client, which knows the request that the code came from, is told what of it
 * does not match; to others the code might as well not exist.
 */
function misfitOf(exchange: Exchange, record: CodeRecord): Problem | undefined {
  const parameters = exchange.require(parametersSlot);
  if (record.client !== exchange.require(clientSlot).id) return invalid();
  if (record.redirectUri !== parameters.get('redirect_uri'))
    return new Problem('invalid_grant', 'redirect_uri is not the one of the authorization request, to the letter');
  if (!isProven(record.challenge, parameters.get('code_verifier')))
    return new Problem('invalid_grant', 'code_verifier does not match the code_challenge of the authorization request');
  return undefined;
}

/** A verifier belongs to a challenge, and a challenge to a verifier: one alone is somebody else's. @see RFC 7636 §4.6, RFC 9700 §4.8.2 */
const isProven = (challenge: string | undefined, verifier: string | undefined): boolean =>
  challenge === undefined || verifier === undefined ? challenge === verifier : sameText(challenge, sha256(verifier));

async function refuseUsed(exchange: Exchange, found: Exclude<CodeState, { state: 'live' }>): Promise<never> {
  const client = exchange.require(clientSlot).id;
  if (found.state === 'used' && found.client === client) {
    const { ports, school, requestId } = exchange;
    const meta = { actor: 'system', client, correlation: requestId };
    const target = { school: school.id, stream: requireStream('grant', found.grant), meta };
    await write(ports, grantDecider, target, { type: 'ReportCodeReplay', now: seconds(ports.clock) });
  }
  throw invalid();
}

/** The resources named here are among those named at the authorization request, if any were. @see RFC 8707 §2.2 */
async function audienceOf(exchange: Exchange, { resource }: Grant): Promise<readonly string[]> {
  const { ports, school } = exchange;
  const asked = [...new Set(exchange.require(parametersSlot).all('resource'))];
  if (resource.length > 0 && !asked.every((each) => resource.includes(each))) throw new Problem('invalid_target');
  const named = asked.length > 0 ? asked : resource;
  // What was the school's own at the authorization request may not be any more: a domain can be taken away.
  if (named.length > mostResources || (await foreignResource(ports, school, named)) !== undefined)
    throw new Problem('invalid_target');
  return named.length > 0 ? named : [school.issuer];
}

async function currentScopes(exchange: Exchange, { account, scopes, issued }: Grant) {
  const person = await findAccount(exchange.ports, exchange.school.id, account);
  const open = person ? grantable(scopes, person.role) : [];
  if (!person || open.length === 0 || signedOutSince(person, issued)) throw invalid();
  return { role: person.role, scopes: open };
}

interface Redemption {
  readonly granted: Grant;
  readonly audience: readonly string[];
  readonly role: Parameters<typeof makeTokens>[1]['role'];
  readonly scopes: readonly string[];
}

/** Of all that come this far, the stream of the grant lets the first have tokens; the second ends the grant. */
async function giveTokens(exchange: Exchange, record: CodeRecord, redemption: Redemption): Promise<void> {
  const { ports, school, requestId } = exchange;
  const client = exchange.require(clientSlot);
  const now = seconds(ports.clock);
  const jti = ports.ids.secret(16);
  const mayRefresh = client.metadata.grant_types.includes('refresh_token');
  const refreshToken = mayRefresh ? newRefreshToken(ports.ids, record.grant) : undefined;
  const target = {
    school: school.id,
    stream: requireStream('grant', record.grant),
    meta: { actor: redemption.granted.account, client: client.id, correlation: requestId },
  };
  const { audience, role, scopes } = redemption;
  const refresh = refreshToken === undefined ? {} : { refreshHash: sha256(refreshToken) };
  const done = await write(ports, grantDecider, target, { type: 'RedeemCode', jti, ...refresh, audience, now });
  if (isRejection(done) || !done.state || !done.events.some(({ type }) => type === 'TokensIssued')) throw invalid();
  const code = exchange.require(parametersSlot).require('code');
  // The grant knows already; what lies beside it may be away without harm to anyone.
  await markCodeRedeemed(ports, school.id, code, record).catch(ifUnavailable);
  const given = { id: record.grant, grant: done.state, audience, scopes, role, jti, refreshToken, now };
  answerTokens(exchange, await makeTokens(exchange, { ...given, nonce: record.nonce }));
}

/** The log has decided already, so a store that is away is no reason to fail. */
function ifUnavailable(error: unknown): undefined {
  if (error instanceof EphemeralUnavailable) return undefined;
  throw error;
}
