import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { aiCatalogPath, mcpPath, serverCardPath, signInAlias } from '../../routing/mcp-paths.ts';

/** How the server names itself: once connected, and before in its card. */
export const implementation = { name: 'lyceum-school', title: 'School', version: '1.0.0' } as const;

/** The school whose server is described. */
interface Site {
  readonly baseUrl: string;
  readonly name: string;
  /** Whether there is an address at which clients have to sign in. */
  readonly hasSignInAlias?: boolean;
}

const cardType = 'application/mcp-server-card+json';

/** The card that clients read before they connect: name and address of the server, never what it offers. */
const serverCard = ({ baseUrl, name, hasSignInAlias }: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${new URL(baseUrl).hostname
    .replaceAll(/[^a-z0-9.-]/g, '')
    .split('.')
    .toReversed()
    .join('.')}/${implementation.name}`,
  version: implementation.version,
  title: implementation.title,
  description: `Courses, lecturers and prices of ${name}`.slice(0, 100),
  websiteUrl: `${baseUrl}/`,
  remotes: [mcpPath, ...(hasSignInAlias ? [signInAlias] : [])].map((path) => ({
    type: 'streamable-http',
    url: baseUrl + path,
    supportedProtocolVersions: ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS],
  })),
});

/** What of the school is for agents: its one server. */
const aiCatalog = ({ baseUrl, name }: Site) => ({
  specVersion: '1.0',
  host: { displayName: name, identifier: new URL(baseUrl).hostname, documentationUrl: `${baseUrl}/llms.txt` },
  entries: [
    {
      identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${implementation.name}`,
      displayName: name,
      type: cardType,
      url: baseUrl + serverCardPath,
    },
  ],
});

/**
 * The documents by which clients find the server, with their types, by path.
 * @see SEP-2127 docs/discovery
 */
export const serverDocuments = (site: Site) => [
  { path: serverCardPath, type: cardType, value: serverCard(site) },
  { path: aiCatalogPath, type: 'application/ai-catalog+json', value: aiCatalog(site) },
];
