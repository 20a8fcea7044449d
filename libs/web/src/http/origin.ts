import type { z } from 'zod';

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/;

/** Whether a host name or address never leaves this machine. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/**
 * What is wrong with a base URL, as an instruction; undefined when it is the origin of a school: absolute, http(s), without
 * path, query, user or trailing slash, https unless the host is loopback.
 */
function originProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'an absolute URL, e.g. https://school.example';
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'a URL that begins with https:// (or http:// for loopback)';
  if (url.username || url.password) return 'a URL without user name and password';
  if (value !== url.origin) return `the origin alone, without path, query or trailing slash: ${url.origin}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `https for a host other than loopback: https://${url.host}`;
  return undefined;
}

/** For `superRefine` of a text that is to be such an origin. */
export function checkOrigin(value: string, context: z.RefinementCtx): void {
  const message = originProblem(value);
  if (message) context.addIssue({ code: 'custom', message });
}
