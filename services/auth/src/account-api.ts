import type { Handler } from '@lyceum/runtime';
import { type MountOptions, type Operation, describe, mount } from '@lyceum/web';
import { changeAccount, getAccount } from './accounts/account.http.ts';
import { openapi } from './openapi.ts';
import { disconnectOwnClient, listOwnClients } from './self/clients.http.ts';
import { endOwnSession, listOwnSessions } from './self/sessions.http.ts';

/** What the holder of a token does with the account that it stands for. */
export const accountOperations: readonly Operation[] = [
  getAccount,
  changeAccount,
  listOwnClients,
  disconnectOwnClient,
  listOwnSessions,
  endOwnSession,
];

const isForAccount = (url = ''): boolean => /^\/api\/account(?:[/?]|$)/.test(url);

/** Serves the account API beside the OAuth endpoints, which have rules of their own. */
export function withAccountApi(oauth: Handler, options: Omit<MountOptions, 'service' | 'operations'>): Handler {
  const api = mount({ ...options, service: 'auth', operations: accountOperations }).callback();
  return (request, response) => (isForAccount(request.url) ? void api(request, response) : oauth(request, response));
}

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI document of the whole service. */
export function describedAuth(): Record<string, unknown> {
  const api = describe('auth', accountOperations);
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
