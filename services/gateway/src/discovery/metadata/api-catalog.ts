import { wellKnownPaths } from '@lyceum/contracts';
import type { Site } from './oauth-metadata.ts';

/**
 * Where the API of the school and its descriptions stand.
 * @see RFC 9727 §2, RFC 9264 §4.2
 */
export const apiCatalog = ({ baseUrl, docsUrl, hasMcp }: Site): unknown => ({
  linkset: [
    {
      anchor: baseUrl + wellKnownPaths.apiCatalog,
      item: [{ href: `${baseUrl}/` }, ...(hasMcp ? [{ href: `${baseUrl}/mcp` }] : [])],
    },
    {
      anchor: `${baseUrl}/`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/docs`, type: 'text/html' },
        { href: `${baseUrl}/auth.md`, type: 'text/markdown' },
        { href: docsUrl },
      ],
      'service-meta': [
        { href: baseUrl + wellKnownPaths.authorizationServer, type: 'application/json' },
        { href: baseUrl + wellKnownPaths.protectedResource, type: 'application/json' },
      ],
    },
  ],
});
