import { scopeNames } from '@lyceum/contracts';
import { Problem, listOf, operation } from '@lyceum/web';
import { z } from 'zod';
import { type ConnectedClient, connectedClients, disconnectClient } from '../domain/grants/connected-clients.ts';
import { holderOf } from './account-holder-of-call.ts';

const connectedClient = z
  .object({
    object: z.literal('connected_client'),
    client_id: z.string().meta({ example: 'client_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    client_name: z.string().nullable().meta({ description: 'What the client calls itself; nobody has verified it.' }),
    redirect_hosts: z.array(z.string()).meta({ example: ['127.0.0.1:53682'] }),
    scopes: z.array(z.enum(scopeNames)),
    connected_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().meta({ description: 'When it was last given tokens.' }),
  })
  .meta({ id: 'ConnectedClient', description: 'An application that may use the account.' });

const toBody = ({ id, name = undefined, hosts, scopes, since, used }: ConnectedClient) => ({
  object: 'connected_client',
  client_id: id,
  client_name: name ?? null,
  redirect_hosts: hosts,
  scopes,
  connected_at: since,
  last_used_at: used,
});

/** Lists the applications that may use the account of the token's person. */
export const listOwnClients = operation({
  id: 'listOwnClients',
  method: 'GET',
  path: '/api/account/clients',
  area: 'account',
  summary: 'List the applications connected to your account',
  description: 'Those that hold a token which counts, last used first. The list is whole and up to date.',
  scope: 'account:read',
  anonymous: false,
  status: 200,
  reply: listOf(connectedClient),
  errors: ['temporarily_unavailable'],
  async handle(call, ports) {
    const data = (await connectedClients(ports, holderOf(call))).map(toBody);
    return { body: { object: 'list', data, has_more: false, next_cursor: null } };
  },
});

const params = z.strictObject({ client_id: z.string().min(1).max(2048) });
const notConnected = () => new Problem('not_found', 'No such application is connected to your account');

/** Tells of one of the applications that may use the account of the token's person. */
export const getOwnClient = operation({
  id: 'getOwnClient',
  method: 'GET',
  path: '/api/account/clients/{client_id}',
  area: 'account',
  summary: 'Read an application connected to your account',
  description: 'One that holds a token which counts, as of now.',
  scope: 'account:read',
  anonymous: false,
  params,
  status: 200,
  reply: connectedClient,
  errors: ['not_found', 'temporarily_unavailable'],
  async handle(call, ports) {
    const found = (await connectedClients(ports, holderOf(call))).find(({ id }) => id === call.params.client_id);
    if (!found) throw notConnected();
    return { body: toBody(found) };
  },
});

/** Ends what an application holds of the account of the token's person. */
export const disconnectOwnClient = operation({
  id: 'disconnectOwnClient',
  method: 'DELETE',
  path: '/api/account/clients/{client_id}',
  area: 'account',
  summary: 'Disconnect an application from your account',
  description:
    'Ends every grant that you gave it. Its tokens, which may include the one of this call, are void at once.',
  scope: 'account:write',
  anonymous: false,
  params,
  status: 204,
  errors: ['not_found', 'temporarily_unavailable'],
  async handle(call, ports) {
    if (await disconnectClient(ports, holderOf(call), call.params.client_id)) return {};
    throw notConnected();
  },
});
