import type { Handler } from '@lyceum/internal-api';

/** A handler and the path prefixes (whole segments) that it answers. */
export interface Routed {
  readonly prefixes: readonly string[];
  readonly handler: Handler;
}

/** Finds the handler with the longest prefix of a request's path; undefined when none has one. */
export function prefixRouter(routed: readonly Routed[]): (url: string) => Handler | undefined {
  const table = routed
    .flatMap(({ prefixes, handler }) => prefixes.map((prefix) => ({ prefix: prefix.replace(/\/$/, ''), handler })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (url) => {
    const path = url.split('?', 1)[0]!;
    return table.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))?.handler;
  };
}
