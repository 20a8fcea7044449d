import type { PageSources } from '../pages/page-shell.ts';

/** What a page loads, as its parts are written. */
export class SourceList implements PageSources {
  readonly images = new Set<string>();
  readonly media = new Set<string>();
  readonly frames = new Set<string>();
  sendsForms = false;

  /** Notes an address; whether it may be loaded. What is no plain origin cannot stand in a policy. */
  note(kind: 'images' | 'media' | 'frames', url: string): boolean {
    const origin = originOf(url);
    if (origin === undefined) return false;
    this[kind].add(origin);
    return true;
  }
}

/** The origin of an address, where it is one of a host name; a `;` or `,` in it would end the directive of a policy. */
function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, username, password } = new URL(url);
  return username === '' && password === '' && /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin) ? origin : undefined;
}
