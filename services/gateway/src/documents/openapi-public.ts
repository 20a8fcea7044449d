import { wellKnownPaths } from '@lyceum/contracts';
import { aiCatalogPath, serverCardPath } from '../mcp/paths.ts';

const publicDocuments = [
  { path: '/', id: 'openIndexPage', summary: 'What the school offers, for people', type: 'text/html' },
  { path: '/openapi.json', id: 'readApiDescription', summary: 'This document', type: 'application/json' },
  { path: '/docs', id: 'openReference', summary: 'The API reference, for people', type: 'text/html' },
  { path: '/auth.md', id: 'readAuthGuide', summary: 'How a client gets access', type: 'text/markdown' },
  { path: '/llms.txt', id: 'readAgentIndex', summary: 'What is where, for agents', type: 'text/plain' },
  { path: '/pricing.md', id: 'readPriceList', summary: 'What the school sells', type: 'text/markdown' },
  {
    path: wellKnownPaths.apiCatalog,
    id: 'readApiCatalog',
    summary: 'Links to the API and its descriptions (RFC 9727)',
    type: 'application/linkset+json',
  },
  {
    path: wellKnownPaths.authorizationServer,
    id: 'readAuthorizationServerMetadata',
    summary: 'Authorization server metadata (RFC 8414)',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.openidConfiguration,
    id: 'readOpenIdConfiguration',
    summary: 'OpenID Connect discovery document',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.protectedResource,
    id: 'readProtectedResourceMetadata',
    summary: 'Protected resource metadata (RFC 9728)',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.mcpProtectedResource,
    id: 'readMcpProtectedResourceMetadata',
    summary: 'Protected resource metadata of the MCP server (RFC 9728)',
    type: 'application/json',
  },
  {
    path: serverCardPath,
    id: 'readMcpServerCard',
    summary: 'What the MCP server is and where (SEP-2127)',
    type: 'application/mcp-server-card+json',
  },
  {
    path: aiCatalogPath,
    id: 'readAiCatalog',
    summary: 'What of the school is for agents',
    type: 'application/ai-catalog+json',
  },
] as const;

/** Paths that the gateway answers itself. */
export const publicPaths: readonly string[] = [
  ...publicDocuments.map(({ path }) => path),
  '/docs/callback',
  '/docs/client.json',
  '/docs/explorer.js',
  '/docs/sign-in.js',
];

/** The gateway's own OpenAPI document: the public documents, readable by anybody. */
export const publicApi = (): Record<string, unknown> => ({
  tags: [{ name: 'discovery', description: 'Documents that describe the school to clients' }],
  paths: Object.fromEntries(
    publicDocuments.map(({ path, id, summary, type }) => [path, { get: operation(id, summary, type) }]),
  ),
});

const operation = (operationId: string, summary: string, type: string) => ({
  operationId,
  summary,
  tags: ['discovery'],
  security: [],
  parameters: [
    {
      name: 'If-None-Match',
      in: 'header',
      description: 'Entity tag of a copy at hand',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description: 'The document',
      headers: { ETag: { description: 'Strong entity tag', schema: { type: 'string' } } },
      content: { [type]: { schema: { type: type.endsWith('json') ? 'object' : 'string' } } },
    },
    304: { description: 'The copy at hand is still right' },
  },
});
