import type { Vault } from '@lyceum/eventlog';
import type { Operation } from '@lyceum/web';
import { type AvatarPorts, avatarOf } from './account.avatar.ts';
import { changeAccount, getAccount } from './account.http.ts';
import { disconnectOwnClient, getOwnClient, listOwnClients } from './clients.http.ts';
import { changeOwnEmail } from './email.http.ts';
import { endOwnSession, listOwnSessions } from './sessions.http.ts';

/** The operations on the account that an access token names. */
export const accountOperations = (
  ports: AvatarPorts & { readonly vault: Pick<Vault, 'derive'> },
): readonly Operation[] => {
  const avatar = avatarOf(ports);
  return [
    getAccount(avatar),
    changeAccount(avatar),
    changeOwnEmail(ports.vault),
    listOwnClients,
    getOwnClient,
    disconnectOwnClient,
    listOwnSessions,
    endOwnSession,
  ];
};

/** Whether a path belongs to the account API rather than to an endpoint of a protocol or a page. */
export const isForAccountApi = (path: string): boolean => /^\/api\/account(?:\/|$)/.test(path);
