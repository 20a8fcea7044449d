import { oauthPaths } from '@lyceum/contracts';
import { failures, json, object, registrationFields, text, unavailableToWrite } from './parts.ts';

type Json = Record<string, unknown>;

const client: Json = { $ref: '#/components/schemas/RegisteredClient' };
const common: Json = {
  tags: ['oauth'],
  security: [],
  description: 'Needs the registration_access_token of the client as bearer token.',
  parameters: [{ name: 'client', in: 'path', required: true, schema: text('Id of the client') }],
};
const refusals: Readonly<Record<number, string>> = { 401: 'invalid_token' };

/** The operations on a client's own registration, as the OpenAPI document has them. */
export const registrationManagement: Readonly<Record<string, Json>> = {
  [`${oauthPaths.register}/{client}`]: {
    get: {
      ...common,
      operationId: 'readClient',
      summary: 'Read the registration of a client (RFC 7592)',
      responses: { 200: json('The client as it is registered', client), ...failures(refusals) },
    },
    put: {
      ...common,
      operationId: 'replaceClient',
      summary: 'Replace the registration of a client (RFC 7592)',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: object({ client_id: text('Id of the client'), ...registrationFields }, [
              'client_id',
              'redirect_uris',
            ]),
          },
        },
      },
      responses: {
        200: json('The client as it is registered now', client),
        ...failures({
          400: 'invalid_redirect_uri, invalid_client_metadata, invalid_software_statement or invalid_request',
          ...refusals,
          ...unavailableToWrite,
        }),
      },
    },
    delete: {
      ...common,
      operationId: 'deleteClient',
      summary: 'Delete a client and all that it was granted (RFC 7592)',
      responses: { 204: { description: 'Deleted' }, ...failures({ ...refusals, ...unavailableToWrite }) },
    },
  },
};
