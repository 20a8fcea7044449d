import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { type ToFact, erasureFact } from '@lyceum/service';
import { type AccountEvent, accountEvents } from './domain/accounts/account.events.ts';
import { type ClientEvent, clientEvents } from './domain/clients/client.events.ts';
import { type GrantEvent, grantEvents } from './domain/grants/grant.events.ts';
import { type KeyRingEvent, keyRingEvents } from './domain/keys/key-ring.events.ts';
import { idOf, keyRingStream } from './domain/streams.ts';
import { isErasureOfSignUpRequest } from './sign-up/sign-up-request.ts';

type AuthFact = ReturnType<ToFact<'auth'>>;

/** What other services learn: public keys, and what they must refuse from now on. Nothing about people. Pure. */
export const integrationEventOf = (event: RecordedEvent): AuthFact => {
  if (event.stream === keyRingStream) return keyFact(upcast(keyRingEvents, event));
  if (event.stream.startsWith('grant-')) return grantFact(upcast(grantEvents, event), event);
  if (event.stream.startsWith('account-')) return accountFact(upcast(accountEvents, event), event);
  if (event.stream.startsWith('client-')) return clientFact(upcast(clientEvents, event), event);
  // A request to sign up erases itself, and no other service knows of it.
  return isErasureOfSignUpRequest(event.stream) ? undefined : erasureFact(event);
};

function keyFact({ type, data }: KeyRingEvent): AuthFact {
  if (type === 'SigningKeyRetired') return { type, data: { kid: data.kid } };
  if (type === 'SigningKeyActivated') return undefined;
  const { kid, alg, public_jwk } = data;
  return { type: 'SigningKeyPublished', data: { kid, alg, public_jwk } };
}

function grantFact(event: GrantEvent, { stream }: Pick<RecordedEvent, 'stream'>): AuthFact {
  if (event.type === 'GrantRevoked')
    return { type: 'GrantRevoked', data: { grant: idOf('grant', stream), until: event.data.until } };
  if (event.type === 'TokenRevoked')
    return { type: 'TokenRevoked', data: { jti: event.data.jti, until: event.data.until } };
  return undefined;
}

function accountFact({ type, data }: AccountEvent, { stream }: Pick<RecordedEvent, 'stream'>): AuthFact {
  const account_id = idOf('account', stream);
  if (type === 'AccountOpened') return { type, data: { account_id } };
  if (type === 'ProfileChanged' || type === 'EmailChanged') return { type: 'AccountChanged', data: { account_id } };
  if (type !== 'SessionsEnded') return undefined;
  return { type, data: { account_id, tokens_not_before: data.tokens_not_before } };
}

/** A client that is deleted is disabled for ever, as far as its tokens go. */
function clientFact(event: ClientEvent, { stream }: Pick<RecordedEvent, 'stream'>): AuthFact {
  const client = idOf('client', stream);
  if (event.type === 'ClientEnabled') return { type: 'ClientEnabled', data: { client } };
  if (event.type !== 'ClientDisabled' && event.type !== 'ClientDeleted') return undefined;
  return { type: 'ClientDisabled', data: { client, tokens_not_before: event.data.tokens_not_before } };
}
