import { rowAs } from '@lyceum/documents';
import { type Call, type Operation, Problem, listOf, listQuery, listReply, operation } from '@lyceum/web';
import { z } from 'zod';
import { type ClientDocument, clientDocuments } from '../domain/clients/client.projection.ts';
import { integrationFields, integrationMetadata } from '../domain/clients/metadata/integration-metadata.ts';
import { originsOf } from '../domain/grants/resource.ts';
import { idOf } from '../domain/streams.ts';
import { seconds } from '../domain/write.ts';
import type { KnownSchools, School } from '../school-projections/school.ts';
import {
  type Commanded,
  command,
  knownClient,
  knownIntegration,
  register,
  rotateSecret,
  update,
} from './integration-registry.ts';
import { integrationReply, shownIntegration } from './integration-reply.ts';

const school = z
  .string()
  .meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' });
const params = z.object({ client: z.string().meta({ description: 'Id of the client' }) });
const query = z.strictObject({ school });
const created = z.strictObject({ school, ...integrationFields });
const changed = z.strictObject({ ...integrationFields, client_name: integrationFields.client_name.optional() });
const rotation = z.strictObject({
  overlap_seconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 24 * 3600)
    .default(24 * 3600)
    .meta({ description: 'How long the secret before stays good; 0 ends it now' }),
});

type Params = { readonly params: typeof params; readonly query: typeof query };
const one = { params, query, anonymous: true, area: 'integrations', status: 200, reply: integrationReply } as const;
const path = '/internal/integrations';

type Known = (id: string) => Promise<School>;

const shown = (id: string, { id: client, client: state, secret }: Commanded) => ({
  body: shownIntegration(id, client, state!, secret),
});

const createIntegration = (known: Known): Operation =>
  operation({
    id: 'createIntegration',
    method: 'POST',
    path,
    area: 'integrations',
    summary: 'Register a client with HTTPS callbacks, or an API of its own, for a school',
    anonymous: true,
    body: created,
    status: 201,
    reply: integrationReply,
    errors: ['invalid_client_metadata', 'invalid_redirect_uri', 'not_found'],
    async handle({ body: { school: id, ...fields }, requestId }: Call<{ body: typeof created }>, ports) {
      const metadata = integrationMetadata(fields, originsOf(await known(id)));
      return shown(id, await register(ports, id, metadata, requestId));
    },
  });

const getIntegration = (known: Known): Operation =>
  operation({
    ...one,
    id: 'getIntegration',
    method: 'GET',
    path: `${path}/{client}`,
    summary: 'Show a client of a school',
    errors: ['not_found'],
    async handle({ params: { client }, query: { school: id } }: Call<Params>, ports) {
      const found = await knownClient(ports, (await known(id)).id, client);
      return { body: shownIntegration(id, client, found) };
    },
  });

const updateIntegration = (known: Known): Operation =>
  operation({
    ...one,
    id: 'updateIntegration',
    method: 'PATCH',
    path: `${path}/{client}`,
    summary: 'Change what is registered of an integration',
    description: 'Fields that are left out stay; null takes one back. A method that needs a secret brings a new one.',
    body: changed,
    errors: ['invalid_client_metadata', 'invalid_redirect_uri', 'invalid_state', 'not_found'],
    async handle(call: Call<Params & { readonly body: typeof changed }>, ports) {
      const { params: named, query: asked, body, requestId } = call;
      const { id, ...place } = await known(asked.school);
      const before = await knownIntegration(ports, id, named.client);
      const metadata = integrationMetadata({ ...before.metadata, ...body }, originsOf(place));
      return shown(id, await update(ports, id, before, metadata, requestId));
    },
  });

const switchIntegration = (known: Known, verb: 'disable' | 'enable'): Operation =>
  operation({
    ...one,
    id: `${verb}Integration`,
    method: 'POST',
    path: `${path}/{client}/${verb}`,
    summary: verb === 'disable' ? 'Void all tokens of a client, and give it no more' : 'Let a client work again',
    errors: ['not_found'],
    async handle({ params: { client }, query: { school: id }, requestId }: Call<Params>, ports) {
      await knownClient(ports, (await known(id)).id, client);
      const type = verb === 'disable' ? 'DisableClient' : 'EnableClient';
      return shown(id, await command(ports, id, client, { type, now: seconds(ports.clock) }, requestId));
    },
  });

const rotateIntegrationSecret = (known: Known): Operation =>
  operation({
    ...one,
    id: 'rotateIntegrationSecret',
    method: 'POST',
    path: `${path}/{client}/rotate-secret`,
    summary: 'Give an integration a new secret; the one before stays good for a while',
    body: rotation,
    errors: ['invalid_state', 'not_found'],
    async handle(call: Call<Params & { readonly body: typeof rotation }>, ports) {
      const { id } = await known(call.query.school);
      const { id: client } = await knownIntegration(ports, id, call.params.client);
      return shown(id, await rotateSecret(ports, id, client, call.body.overlap_seconds, call.requestId));
    },
  });

const deleteIntegration = (known: Known): Operation =>
  operation({
    id: 'deleteIntegration',
    method: 'DELETE',
    path: `${path}/{client}`,
    area: 'integrations',
    summary: 'Delete a client, and with it all that it was granted',
    anonymous: true,
    params,
    query,
    status: 204,
    errors: ['not_found'],
    async handle({ params: { client }, query: { school: id }, requestId }: Call<Params>, ports) {
      await knownClient(ports, (await known(id)).id, client);
      await command(ports, id, client, { type: 'DeleteClient', now: seconds(ports.clock) }, requestId);
      return {};
    },
  });

const listed = z.strictObject({ school, ...listQuery });

const listIntegrations = (known: Known): Operation =>
  operation({
    id: 'listIntegrations',
    method: 'GET',
    path,
    area: 'integrations',
    summary: 'List the integrations of a school, oldest first',
    anonymous: true,
    query: listed,
    status: 200,
    reply: listOf(integrationReply),
    errors: ['not_found'],
    async handle({ query: { school: asked }, page }: Call<{ query: typeof listed }>, { documents, log }) {
      const { id } = await known(asked);
      const lane = log.laneOf(id);
      await documents.waitFor(clientDocuments, 'auth', lane, await log.head(lane), 2_000);
      const sort = { field: 'registered' } as const;
      const where = [{ field: 'kind', is: 'integration' }];
      const found = await documents.query(clientDocuments, id, { where, sort, ...page });
      const toBody = ({ id: stream, body }: (typeof found)['items'][number]) =>
        shownIntegration(id, idOf('client', stream), rowAs<ClientDocument>(body));
      return listReply(found, toBody, sort);
    },
  });

/** What the operator may do with clients that need more than registering themselves allows. */
export function integrationOperations(schools: KnownSchools): readonly Operation[] {
  const known: Known = async (id) => {
    const found = await schools.get(id);
    if (!found) throw new Problem('not_found', 'There is no such school');
    return found;
  };
  return [
    createIntegration(known),
    listIntegrations(known),
    getIntegration(known),
    updateIntegration(known),
    switchIntegration(known, 'disable'),
    switchIntegration(known, 'enable'),
    rotateIntegrationSecret(known),
    deleteIntegration(known),
  ];
}
