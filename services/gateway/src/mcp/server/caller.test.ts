import { describe, expect, test } from '@jest/globals';
import { TooManyForgeries, type TokenUse } from '@lyceum/oauth';
import type { IncomingMessage } from 'node:http';
import type { School } from '../../routing/school.ts';
import { callerOf } from './caller.ts';
import { McpRefusal } from './refusal.ts';

const school = { id: 'school_1', baseUrl: 'https://a.example' } as School;
const headers = { authorization: 'Bearer made.up.token', 'x-client-address': '2001:db8::1' };
const request = { url: '/mcp', headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage;

describe('who calls the MCP server', () => {
  test('an address with too many bad signatures is told to wait, and bad ones count for its network', async () => {
    const used: TokenUse[] = [];
    const verify = (_: string, use: TokenUse) => {
      used.push(use);
      return Promise.reject(new TooManyForgeries(7));
    };
    const refused = (await callerOf(request, school, 'req_1', '/mcp', { verify }).catch(
      (error: unknown) => error,
    )) as McpRefusal;
    expect(refused).toBeInstanceOf(McpRefusal);
    expect([refused.code, refused.headers]).toEqual(['rate_limited', { 'Retry-After': '7' }]);
    expect(used).toEqual([{ school: 'school_1', path: '/mcp', from: '2001:db8:0:0::/64' }]);
  });
});
