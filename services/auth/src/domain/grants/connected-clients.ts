import { type Scope, isScope, scopeNames } from '@lyceum/contracts';
import { rowAs } from '@lyceum/documents';
import type { Ports } from '@lyceum/web';
import type { AccountHolder } from '../accounts/account-holder.ts';
import { findOpenAccount } from '../accounts/account-registry.ts';
import { findClient } from '../clients/client-registry.ts';
import { documentHost } from '../clients/document-id.ts';
import { redirectHost } from '../clients/redirect-uri.ts';
import { withdrawConsent } from '../consents/consent-registry.ts';
import { queryAll } from '../query-all.ts';
import { seconds, write } from '../write.ts';
import { type GrantDocument, grantDocuments } from './grant.projection.ts';
import { grantDecider } from './grant.ts';

/** A client that may use a person's account now: all its grants together. */
export interface ConnectedClient {
  readonly id: string;
  /** Its own word, unverified. */
  readonly name: string | undefined;
  /** Where it may be sent back to, without repetition. */
  readonly hosts: readonly string[];
  readonly scopes: readonly Scope[];
  /** RFC 3339: the oldest grant that still counts. */
  readonly since: string;
  /** RFC 3339. */
  readonly used: string;
}

type ReadPorts = Pick<Ports, 'log' | 'documents' | 'clock'>;
type WritePorts = ReadPorts & Pick<Ports, 'ids'>;

/** The clients that hold a token of this person, last used first. */
export async function connectedClients(ports: ReadPorts, own: AccountHolder): Promise<readonly ConnectedClient[]> {
  const rows = await liveGrants(ports, own);
  const notBefore = (await findOpenAccount(ports, own.school, own.account))?.notBefore ?? 0;
  const counts = ({ used, since }: GrantDocument) => used !== null && Date.parse(since) > notBefore;
  const byClient = new Map<string, GrantDocument[]>();
  for (const { row } of rows) if (counts(row)) byClient.set(row.client, [...(byClient.get(row.client) ?? []), row]);
  const all = [...byClient].map(([id, grants]) => describe(ports, own.school, id, grants));
  return (await Promise.all(all)).sort((one, other) => (one.used < other.used ? 1 : -1));
}

/**
 * Ends every grant that this person gave a client, and forgets what was agreed to. False when the client holds none.
 * Tokens are void for this server at once, and for the other services as soon as they learn of it.
 */
export async function disconnectClient(ports: WritePorts, own: AccountHolder, client: string): Promise<boolean> {
  const grants = await liveGrants(ports, own, client);
  await withdrawConsent(ports, { school: own.school, account: own.account, client });
  await revokeGrants(ports, own, grants);
  return grants.length > 0;
}

/** Ends every grant of this person. */
export async function disconnectAll(ports: WritePorts, own: AccountHolder): Promise<void> {
  const grants = await liveGrants(ports, own);
  for (const client of new Set(grants.map(({ row }) => row.client)))
    await withdrawConsent(ports, { school: own.school, account: own.account, client });
  await revokeGrants(ports, own, grants);
}

interface LiveGrant {
  readonly stream: string;
  readonly row: GrantDocument;
}

async function liveGrants(
  ports: ReadPorts,
  { school, account }: AccountHolder,
  client?: string,
): Promise<readonly LiveGrant[]> {
  const found = await queryAll(ports, school, grantDocuments, [
    { field: 'account', is: account },
    { field: 'expires', above: seconds(ports.clock) },
    ...(client === undefined ? [] : [{ field: 'client', is: client }]),
  ]);
  return found.map(({ id, body }) => ({ stream: id, row: rowAs<GrantDocument>(body) }));
}

async function revokeGrants(ports: WritePorts, own: AccountHolder, grants: readonly LiveGrant[]): Promise<void> {
  const command = { type: 'RevokeGrant', reason: 'revoked_by_person', now: seconds(ports.clock) } as const;
  for (const { stream } of grants)
    await write(ports, grantDecider, { school: own.school, stream, meta: own.meta }, command);
}

async function describe(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string,
  grants: readonly GrantDocument[],
): Promise<ConnectedClient> {
  const document = documentHost(id);
  const metadata = (await findClient(ports, school, id))?.metadata;
  const granted = new Set(grants.flatMap(({ scopes }) => scopes).filter(isScope));
  return {
    id,
    name: metadata?.client_name,
    hosts: document === undefined ? [...new Set((metadata?.redirect_uris ?? []).map(redirectHost))] : [document],
    scopes: scopeNames.filter((scope) => granted.has(scope)),
    since: grants.map(({ since }) => since).reduce((a, b) => (a < b ? a : b)),
    used: grants.map(({ used }) => used!).reduce((a, b) => (a > b ? a : b)),
  };
}
