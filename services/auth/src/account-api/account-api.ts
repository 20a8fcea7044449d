import type { Vault } from '@lyceum/eventlog';
import type { Handler } from '@lyceum/internal-api';
import { type MountOptions, type Operation, describe, mount } from '@lyceum/web';
import { openapi } from '../openapi/openapi.ts';
import { changeAccount, getAccount } from './account.http.ts';
import { disconnectOwnClient, listOwnClients } from './clients.http.ts';
import { changeOwnEmail } from './email.http.ts';
import { endOwnSession, listOwnSessions } from './sessions.http.ts';

/** What the holder of a token does with the account that it stands for. */
const accountOperations = (vault: Pick<Vault, 'derive'>): readonly Operation[] => [
  getAccount,
  changeAccount,
  changeOwnEmail(vault),
  listOwnClients,
  disconnectOwnClient,
  listOwnSessions,
  endOwnSession,
];

const isForAccount = (url = ''): boolean => /^\/api\/account(?:[/?]|$)/.test(url);

/** Serves the account API beside the OAuth endpoints, which have rules of their own. */
export function withAccountApi(
  oauth: Handler,
  { vault, ...options }: Omit<MountOptions, 'service' | 'operations'> & { readonly vault: Pick<Vault, 'derive'> },
): Handler {
  const api = mount({ ...options, service: 'auth', operations: accountOperations(vault) }).callback();
  return (request, response) => (isForAccount(request.url) ? api(request, response) : oauth(request, response));
}

type Json = Readonly<Record<string, unknown>>;

/** Describing calls nothing. */
const noVault = { derive: () => Promise.reject(new Error('an operation is described, not called')) };

/** The OpenAPI document of the whole service. */
export function describedAuth(): Record<string, unknown> {
  const api = describe('auth', accountOperations(noVault));
  const [ours, theirs] = [openapi['components'] as Json, api['components'] as Json];
  return {
    ...api,
    ...openapi,
    tags: [...(openapi['tags'] as Json[]), ...(api['tags'] as Json[])],
    paths: { ...(openapi['paths'] as Json), ...(api['paths'] as Json) },
    components: {
      ...theirs,
      ...ours,
      schemas: { ...(theirs['schemas'] as Json), ...(ours['schemas'] as Json) },
    },
  };
}
