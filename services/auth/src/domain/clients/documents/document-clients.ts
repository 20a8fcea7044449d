import { type Clock, isoTime } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { RemoteBusy, type RemoteJson, RemoteRefused } from '../../../egress/remote-json.ts';
import type { KnownClient } from '../client-registry.ts';
import { isDocumentId } from '../document-id.ts';
import { type DocumentHosts, anyHost } from './document-hosts.ts';
import { readDocumentMetadata } from './document-metadata.ts';

/** A client describes itself at an address, and that cannot be used. The message is public. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
}

/** Who looks for a client that describes itself. */
export interface DocumentAsker {
  readonly school: string;
  /** Whether somebody at the school has given the client access. Only asked when the document has to be fetched. */
  isTrusted(): Promise<boolean>;
  /** Whether the document of a client that nobody knows is fetched, too. */
  readonly meetsStrangers: boolean;
}

/** Clients that are not registered: their id is the address of a document that describes them. */
export interface DocumentClients {
  /** The client as its document describes it now. Throws `DocumentRefused`, and `temporarily_unavailable` when too much is asked. */
  find(id: string, serviceQueryClient: DocumentAsker): Promise<KnownClient>;
}

/**
 * Clients by their metadata documents.
 * @see draft-ietf-oauth-client-id-metadata-document-02 §3–§5
 */
export const documentClients = (
  documents: Pick<RemoteJson, 'get' | 'kept'>,
  clock: Clock,
  meets: DocumentHosts = anyHost,
): DocumentClients => ({
  async find(id, serviceQueryClient) {
    if (!isDocumentId(id))
      throw new DocumentRefused('The client id must be an https address with a path, without query or fragment');
    if (!meets(serviceQueryClient.school, id))
      throw new DocumentRefused('Clients of this host are not taken at this school');
    try {
      const metadata = readDocumentMetadata(
        id,
        await (documents.kept(id) ?? fetched(documents, id, serviceQueryClient)),
      );
      return {
        id,
        kind: 'document',
        metadata,
        secrets: [],
        registrationHash: undefined,
        registered: isoTime(clock.now()),
        lastUse: undefined,
        disabled: false,
        renamed: 0,
        tokensNotBefore: 0,
      };
    } catch (error) {
      throw problemFor(error);
    }
  },
});

async function fetched(
  documents: Pick<RemoteJson, 'get'>,
  id: string,
  { school, isTrusted: ask, meetsStrangers }: DocumentAsker,
): Promise<object> {
  const isTrusted = await ask();
  if (!isTrusted && !meetsStrangers) throw new DocumentRefused('The client has no access here');
  return documents.get(id, { school, isTrusted });
}

function problemFor(error: unknown): unknown {
  if (error instanceof RemoteRefused) return new DocumentRefused(`The document ${error.message}`, { cause: error });
  if (error instanceof Problem) return new DocumentRefused(`In the document ${error.message}`, { cause: error });
  if (error instanceof RemoteBusy)
    return new Problem('temporarily_unavailable', 'Too many client documents are being fetched', {
      headers: { 'Retry-After': '10' },
      cause: error,
    });
  return error;
}
