import { wellKnownPaths } from '@lyceum/contracts';
import { checkoutPaths } from '../../checkout/checkout-description.ts';
import { formPaths } from '../../forms/form-description.ts';
import { isOfSite } from '../site/site-paths.ts';
import { aiCatalogPath, serverCardPath } from '../../routing/mcp-paths.ts';

const publicDocuments = [
  {
    path: '/',
    id: 'openIndexPage',
    summary: 'What the school offers, for people',
    description:
      'With the school’s own look, in the reader’s language. A program that accepts JSON gets links instead.',
    type: 'text/html',
  },
  {
    path: '/openapi.json',
    id: 'readApiDescription',
    summary: 'This document',
    description: 'Made from the very schemas that requests are read with. It changes only by additions.',
    type: 'application/json',
  },
  {
    path: '/docs',
    id: 'openReference',
    summary: 'The API reference, for people',
    description: 'A person signs in on it and tries each operation.',
    type: 'text/html',
  },
  {
    path: '/auth.md',
    id: 'readAuthGuide',
    summary: 'How a client gets access',
    description: 'From registration to the first call, with all scopes, conventions and error codes.',
    type: 'text/markdown',
  },
  {
    path: '/llms.txt',
    id: 'readAgentIndex',
    summary: 'What is where, for agents',
    description: 'Begin here: it leads to everything else.',
    type: 'text/plain',
  },
  {
    path: '/pricing.md',
    id: 'readPriceList',
    summary: 'What the school sells',
    description: 'Courses and digital products with their prices, as the API has them.',
    type: 'text/markdown',
  },
  {
    path: '/courses/{course}',
    id: 'openCoursePage',
    summary: 'A course, for people',
    description:
      'By its slug, for each course in the public lists: what it covers, who teaches it, what it costs. In the reader’s language, with data for search engines.',
    type: 'text/html',
  },
  {
    path: '/p/{page}',
    id: 'openPage',
    summary: 'A page of the school’s site, for people',
    description: 'By its slug, in the school’s own look. A former slug answers 308 with the present address.',
    type: 'text/html',
  },
  {
    path: '/posts',
    id: 'openPosts',
    summary: 'The posts of the school, for people',
    description: 'Those that are pinned, then the newest.',
    type: 'text/html',
  },
  {
    path: '/posts/{post}',
    id: 'openPost',
    summary: 'A post, for people',
    description: 'By its slug; of one that is for members or plans what everybody may see.',
    type: 'text/html',
  },
  {
    path: '/posts.atom',
    id: 'readPostFeed',
    summary: 'The newest posts as a feed (RFC 4287)',
    description: 'Those that are for everybody.',
    type: 'application/atom+xml',
  },
  {
    path: '/sitemap.xml',
    id: 'readSitemap',
    summary: 'What search engines are to look at',
    description: 'Courses, pages and posts that are public, without those that ask to be left out.',
    type: 'application/xml',
  },
  {
    path: '/robots.txt',
    id: 'readRobots',
    summary: 'What search engines are asked to leave alone (RFC 9309)',
    description: 'It leads to the sitemap.',
    type: 'text/plain',
  },
  {
    path: wellKnownPaths.apiCatalog,
    id: 'readApiCatalog',
    summary: 'Links to the API and its descriptions (RFC 9727)',
    description: 'For programs that look for APIs at a host that they do not know.',
    type: 'application/linkset+json',
  },
  {
    path: wellKnownPaths.authorizationServer,
    id: 'readAuthorizationServerMetadata',
    summary: 'Authorization server metadata (RFC 8414)',
    description: 'The endpoints of the authorization server and what they can do. OAuth clients begin here.',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.openidConfiguration,
    id: 'readOpenIdConfiguration',
    summary: 'OpenID Connect discovery document',
    description: 'The same authorization server, for OpenID Connect clients.',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.protectedResource,
    id: 'readProtectedResourceMetadata',
    summary: 'Protected resource metadata (RFC 9728)',
    description: 'Which authorization server issues tokens for the API, and with which scopes.',
    type: 'application/json',
  },
  {
    path: wellKnownPaths.mcpProtectedResource,
    id: 'readMcpProtectedResourceMetadata',
    summary: 'Protected resource metadata of the MCP server (RFC 9728)',
    description: 'Which authorization server issues tokens for the MCP server, and with which scopes.',
    type: 'application/json',
  },
  {
    path: serverCardPath,
    id: 'readMcpServerCard',
    summary: 'What the MCP server is and where (SEP-2127)',
    description: 'For clients that want to know the server before they connect.',
    type: 'application/mcp-server-card+json',
  },
  {
    path: aiCatalogPath,
    id: 'readAiCatalog',
    summary: 'What of the school is for agents',
    description: 'It leads to the server card of the MCP server.',
    type: 'application/ai-catalog+json',
  },
] as const;

/** The paths that `publicApi` describes. */
export const describedPaths: readonly string[] = [
  ...publicDocuments.map(({ path }) => path),
  ...Object.keys(checkoutPaths),
  ...Object.keys(formPaths),
];

/** Paths of documents that the gateway has itself, but for the pages of courses and of the site. */
export const publicPaths: readonly string[] = [
  ...publicDocuments.map(({ path }) => path).filter((path) => !path.includes('{') && !isOfSite(path)),
  '/docs/callback',
  '/docs/client.json',
  '/docs/explorer.js',
  '/docs/sign-in.js',
];

/** The gateway's own OpenAPI document: the public documents, readable by anybody, and the checkout. */
export const publicApi = (): Record<string, unknown> => ({
  tags: [
    { name: 'discovery', description: 'Documents that describe the school to clients' },
    { name: 'checkout', description: 'The pages on which people buy' },
    { name: 'form_pages', description: 'Forms of the school’s pages, as browsers send them' },
  ],
  paths: {
    ...Object.fromEntries(publicDocuments.map((about) => [about.path, { get: operation(about) }])),
    ...checkoutPaths,
    ...formPaths,
  },
});

const operation = ({ path, id, summary, description, type }: (typeof publicDocuments)[number]) => ({
  operationId: id,
  summary,
  description,
  tags: ['discovery'],
  security: [],
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      description: 'Its slug',
      schema: { type: 'string' },
    })),
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
    ...(path.includes('{')
      ? { 404: { description: 'Nothing of that name is public' }, 503: { description: 'Not available at the moment' } }
      : {}),
  },
});
