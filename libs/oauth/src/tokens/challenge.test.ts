import { describe, expect, test } from '@jest/globals';
import { challenge, printable } from '../index.ts';

const issuer = 'https://school.test';
const metadata = 'resource_metadata="https://school.test/.well-known/oauth-protected-resource"';

describe('the challenge', () => {
  test('RFC 6750 §3: a bad token is named by code and description, RFC 9728 §5.1: with the metadata address', () => {
    expect(challenge({ issuer, error: 'invalid_token', description: 'The access token has expired' })).toBe(
      `Bearer error="invalid_token", error_description="The access token has expired", ${metadata}`,
    );
  });

  test('RFC 6750 §3.1: a missing scope lists all scopes that are needed', () => {
    expect(
      challenge({ issuer, error: 'insufficient_scope', description: 'x', scopes: ['courses:read', 'courses:write'] }),
    ).toBe(`Bearer error="insufficient_scope", error_description="x", scope="courses:read courses:write", ${metadata}`);
  });

  test('RFC 6750 §3.1: a request without credentials gets no error code', () => {
    expect(challenge({ issuer })).toBe(`Bearer ${metadata}`);
  });

  test('RFC 9728 §3.1: a part of the API names its own metadata', () => {
    expect(challenge({ issuer, metadata: '/.well-known/oauth-protected-resource/mcp' })).toBe(
      'Bearer resource_metadata="https://school.test/.well-known/oauth-protected-resource/mcp"',
    );
  });

  test('RFC 6749 §5.2: a description is printable ASCII without quotes and backslashes', () => {
    expect(printable('the "naïve" C:\\ way\n')).toBe("the 'na?ve' C:/ way?");
    expect(challenge({ issuer, error: 'invalid_token', description: 'a", realm="b' })).toContain(
      `error_description="a', realm='b"`,
    );
  });
});
