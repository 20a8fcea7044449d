import type { Scope } from '@lyceum/contracts';

/**
 * The scopes for which a client of the MCP server asks when it knows no better: to sign in, and to read what the tools read. Scopes
 * to write are asked for by the challenge of the tool that writes.
 */
export const mcpScopes: readonly Scope[] = [
  'openid',
  'account:read',
  'school:read',
  'courses:read',
  'curriculum:read',
  'lecturers:read',
  'digital_products:read',
  'membership_plans:read',
  'events:read',
  'posts:read',
];
