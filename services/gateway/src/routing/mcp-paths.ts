import { wellKnownPaths } from '@lyceum/contracts';

/** Where tokens for the MCP server are shown. */
export const mcpPath = '/mcp';

/** The same server for clients that sign in only when they are made to; there is none where the operator does not want it. */
export const signInAlias = '/mcp/oauth';

/** The metadata of a server of MCP. @see RFC 9728 §3.1 */
export const metadataOf = (path: string): string => wellKnownPaths.protectedResource + path;

/** Where the server is described to clients that have not connected yet. @see SEP-2127 */
export const serverCardPath = `${mcpPath}/server-card`;

/** @see https://github.com/Agent-Card/ai-catalog */
export const aiCatalogPath = '/.well-known/ai-catalog.json';
