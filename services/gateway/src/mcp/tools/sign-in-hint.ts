import type { Scope } from '@lyceum/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Caller, challengeOf } from '../server/caller.ts';
import { failed } from './tool.ts';

/** The answer to nobody in particular who asks for what belongs to a person, for hosts that listen to nothing else. */
export function signInHint(caller: Caller, description: string, scopes: readonly Scope[]): CallToolResult {
  const { baseUrl } = caller.school;
  const challenge = challengeOf(caller, { error: 'invalid_token', description, scopes });
  return failed(
    `Nobody is signed in. Signing in is optional; to do so, authorize at ${baseUrl} as ${baseUrl}/auth.md describes.`,
    { 'mcp/www_authenticate': [challenge] },
  );
}
