import { documentHost } from '../document-id.ts';

/** At which hosts clients may describe themselves: everywhere, or at these. */
type Hosts = 'anywhere' | ReadonlySet<string>;

/** Says whether a school meets a client that describes itself at its id. */
export type DocumentHosts = (school: string, id: string) => boolean;

const entry = /^(?:(school_[0-9a-f-]{36})=)?(\*|none|[a-z0-9.-]+(?::\d{1,5})?)$/;

/**
 * Reads the setting: hosts, or `*`, or `none`, separated by commas; `school_…=` before one makes it that school's own, and a
 * school with entries of its own has only those. Undefined when it cannot be read.
 */
export function readDocumentHosts(text: string): DocumentHosts | undefined {
  const bySchool = new Map<string, Hosts>();
  for (const each of text.split(',').map((part) => part.trim())) {
    const [, school = '', host] = entry.exec(each) ?? [];
    if (host === undefined) return undefined;
    const before = bySchool.get(school) ?? new Set<string>();
    if (host === '*' || before === 'anywhere') bySchool.set(school, 'anywhere');
    else bySchool.set(school, host === 'none' ? before : new Set([...before, host]));
  }
  return (school, id) => {
    const hosts = bySchool.get(school) ?? bySchool.get('') ?? 'anywhere';
    return hosts === 'anywhere' || hosts.has(documentHost(id) ?? '');
  };
}

/** What holds when nothing is set. */
export const anyHost: DocumentHosts = () => true;
