import { wellKnownPaths } from '@lyceum/contracts';
import type { Verifier } from '@lyceum/oauth';
import type { ModulePorts } from '@lyceum/service';
import { jsonDocument } from '../http/document.ts';
import type { HostTable } from '../routing/host-table.ts';
import type { McpLimit } from '../limits/request-limits.ts';
import type { School } from '../routing/school.ts';
import type { ClientOf } from '../upstream/school-api.ts';
import { type Endpoint, openEndpoint } from './server/endpoint.ts';
import { signInAlias } from '../routing/mcp-paths.ts';
import type { DocumentAt } from './resources/resources.ts';
import { schoolServer } from './school-server.ts';
import { followCatalogue } from './streams/catalogue-updates.ts';

/** What of the gateway the MCP server works with. */
export interface McpNeighbours {
  readonly hosts: Pick<HostTable, 'byId'>;
  readonly clientOf: ClientOf;
  readonly document: DocumentAt;
  readonly verifier: Verifier;
  readonly limit: McpLimit;
  /** Whether there is an address at which clients have to sign in. */
  readonly hasSignInAlias: boolean;
}

/** Opens the MCP server of the gateway's schools, and follows what changes under its listeners. */
export function openMcp(
  ports: ModulePorts,
  { hosts, clientOf, document, verifier, limit, hasSignInAlias }: McpNeighbours,
): Endpoint {
  const { channel, cursorSecret, logger } = ports;
  const endpoint = openEndpoint({
    definition: schoolServer({ secret: cursorSecret, document, hasSignInAlias }),
    school: (id) => hosts.byId(id),
    verifier,
    limit,
    clientOf,
    logger,
    aliasMetadata: hasSignInAlias ? aliasMetadata(document) : undefined,
  });
  const changes = followCatalogue({ channel }, endpoint.changed);
  return {
    ...endpoint,
    async close() {
      await changes.close();
      await endpoint.close();
    },
  };
}

/** The metadata of the alias: that of the server under another name, so that strict clients find what they asked for. */
const aliasMetadata = (at: DocumentAt) => (school: School, origin: string | undefined) => {
  const known = at(school, wellKnownPaths.mcpProtectedResource);
  if (!known || known instanceof Promise) return undefined;
  return jsonDocument({
    ...(JSON.parse(known.body.toString()) as object),
    resource: (origin ?? school.baseUrl) + signInAlias,
  });
};
