import { wellKnownPaths } from '@lyceum/contracts';
import type { Site } from './oauth-metadata.ts';
import { signInAlias } from '../../routing/mcp-paths.ts';
import { markdownText } from '../text/markdown.ts';
import { type Offer, buyingPathOf } from '../content/offers.ts';
import { priceOf } from './pricing-md.ts';
import { sitePaths } from '../site/site-paths.ts';
import type { SiteSummary } from '../site/site-summary.ts';

const link = (title: string, url: string, about: string): string => `- [${title}](${url}): ${about}`;

const access = ({ baseUrl, hasMcp }: Site): readonly string[] => [
  link('auth.md', `${baseUrl}/auth.md`, 'how a client registers, signs a person in and calls the API, step by step'),
  link(
    'Authorization server',
    baseUrl + wellKnownPaths.authorizationServer,
    'all endpoints, grants and scopes (RFC 8414)',
  ),
  link('OpenID Connect', baseUrl + wellKnownPaths.openidConfiguration, 'the same for OpenID Connect clients'),
  link('Protected resource', baseUrl + wellKnownPaths.protectedResource, 'the API as a protected resource (RFC 9728)'),
  ...(hasMcp
    ? [
        link(
          'Protected resource, MCP',
          baseUrl + wellKnownPaths.mcpProtectedResource,
          'the MCP server as a protected resource',
        ),
      ]
    : []),
];

const api = ({ baseUrl, hasMcp, hasSignInAlias }: Site): readonly string[] => [
  link('openapi.json', `${baseUrl}/openapi.json`, 'every operation with its schemas, scopes and errors (OpenAPI 3.0)'),
  link(
    'Changes',
    `${baseUrl}/api/changes`,
    'what has happened in the school, as a list to poll or a stream of server-sent events; auth.md says how',
  ),
  link('Reference', `${baseUrl}/docs`, 'the same for people, who can try each operation'),
  ...(hasMcp
    ? [link('MCP server', `${baseUrl}/mcp`, 'Streamable HTTP; the catalogue without signing in, more with a token')]
    : []),
  ...(hasMcp && hasSignInAlias
    ? [
        link(
          'MCP server, signed in',
          baseUrl + signInAlias,
          'the same for clients that sign in only when they are refused',
        ),
      ]
    : []),
  link('API catalogue', baseUrl + wellKnownPaths.apiCatalog, 'links to the API and its descriptions (RFC 9727)'),
];

/** Offers that the index names; the rest is in the catalogue itself. */
const mostNamed = 100;

const catalogue = ({ baseUrl }: Site, offers: readonly Offer[]): readonly string[] => [
  link('Courses', `${baseUrl}/api/courses`, 'every published course, as JSON'),
  ...offers
    .slice(0, mostNamed)
    .map((offer) => link(markdownText(offer.name), baseUrl + offer.path, aboutOf(offer, baseUrl))),
];

function aboutOf(offer: Offer, baseUrl: string): string {
  const path = buyingPathOf(offer);
  const buying = path === undefined ? [] : [`A person buys it at <${baseUrl}${path}>`];
  return [priceOf(offer), ...buying, ...(offer.summary ? [markdownText(offer.summary)] : [])].join('. ');
}

/** Pages and posts that everybody may find. */
const siteLinks = ({ baseUrl }: Site, { pages, posts }: SiteSummary): readonly string[] => [
  ...pages
    .filter(({ slug, seo }) => slug !== 'home' && !seo.noindex)
    .slice(0, mostNamed)
    .map(({ slug, title }) => link(markdownText(title), baseUrl + sitePaths.page(slug), 'a page of the school')),
  ...(posts.length > 0
    ? [
        link(
          'Posts',
          `${baseUrl}/api/posts`,
          'every published post, as JSON; those that are for everybody with their text',
        ),
      ]
    : []),
  ...posts
    .slice(0, mostNamed)
    .map((post) => link(markdownText(post.title), baseUrl + sitePaths.post(post.slug), aboutPost(post))),
];

const aboutPost = ({ excerpt, visibility }: SiteSummary['posts'][number]): string =>
  [excerpt ? markdownText(excerpt) : 'a post', ...(visibility === 'public' ? [] : ['for members'])].join('; ');

/**
 * The index of the school for agents: what is where, in Markdown.
 * @see https://llmstxt.org
 */
export function llmsTxt(site: Site, offers: readonly Offer[], summary?: SiteSummary): string {
  const { baseUrl, name, docsUrl } = site;
  const parts = [
    `# ${markdownText(name)}`,
    '> An online school with an HTTP API. The catalogue is open to everyone: a request without a token is served as an anonymous one.',
    `Base address: ${baseUrl}. Errors are JSON with \`error\` and \`error_description\`. Changes to the API are additive.`,
    `## Access\n\n${access(site).join('\n')}`,
    `## API\n\n${api(site).join('\n')}`,
    `## Catalogue\n\n${catalogue(site, offers).join('\n')}`,
    ...(summary && summary.pages.length + summary.posts.length > 0
      ? [`## Site\n\n${siteLinks(site, summary).join('\n')}`]
      : []),
    `## Pricing\n\n${link('pricing.md', `${baseUrl}/pricing.md`, 'every offer with its price')}`,
    `## Optional\n\n${link('Documentation', docsUrl, 'for developers of clients')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
