import { isDeepStrictEqual } from 'node:util';
import { type Json, type ServiceDescription, object, objects } from './school-openapi.ts';

/** Descriptions that fit into one document, and what was changed or left out for that. */
export interface Fitted {
  readonly described: readonly ServiceDescription[];
  /** By service: `schemas.Error` has a name of the service's own, `/api/x` is left out, because no route leads there. */
  readonly differing: ReadonlyMap<string, readonly string[]>;
}

/** One service's components, as `section.name`. */
type Names = ReadonlyMap<string, unknown>;

/**
 * Makes the descriptions of services of several releases fit together, as they run side by side during an update. A component
 * that a service describes differently from others gets a name of that service's own, so both are described; a path
 * that the gateway of this release does not lead to the service is left out; of two descriptions of a tag one stays.
 */
export function reconcileReleases(
  described: readonly ServiceDescription[],
  ownerOf: (path: string) => string | undefined,
): Fitted {
  const differing = new Map<string, readonly string[]>();
  const own = ownNames(described);
  const tags = new Set<string>();
  const fitted = described.map(({ service, document }) => {
    const renamed = own.get(service)!;
    const paths = Object.entries(object(document['paths']));
    const leading = paths.filter(([path]) => ownerOf(path) === service);
    const unreached = paths.filter(([path]) => ownerOf(path) !== service).map(([path]) => path);
    const newTags = objects(document['tags']).filter(({ name }) => !tags.has(String(name)));
    for (const { name } of newTags) tags.add(String(name));
    if (renamed.size + unreached.length > 0) differing.set(service, [...renamed.keys(), ...unreached]);
    const components = componentsOf(document, renamed);
    const all = { ...document, paths: Object.fromEntries(leading), tags: newTags, components };
    return { service, document: withReferences(all, renamed) as Json };
  });
  return { described: fitted, differing };
}

/** By service: which of its components need another name, and which. Who comes first by name keeps the plain one. */
function ownNames(described: readonly ServiceDescription[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const all = new Map<string, Names>(described.map(({ service, document }) => [service, namesIn(document)]));
  const taken = new Set([...all.values()].flatMap((names) => [...names.keys()]));
  const own = new Map([...all.keys()].map((service) => [service, new Map<string, string>()]));
  // The gateway's own is of the release that serves the document.
  const added = new Set(described.flatMap(({ service, isAdded }) => (isAdded ? [service] : [])));
  const rank = (service: string): number => (service === 'gateway' ? 0 : added.has(service) ? 2 : 1);
  const inOrder = [...all.keys()].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (let isNew = true; isNew;) {
    isNew = false;
    const plain = new Map<string, unknown>();
    for (const service of inOrder)
      for (const [name, content] of all.get(service) ?? []) {
        const mine = own.get(service)!;
        if (mine.has(name)) continue;
        if (!plain.has(name)) plain.set(name, content);
        const isShared = inOrder.some((other) => other !== service && all.get(other)?.has(name));
        const leadsToOwn = isShared && !isDeepStrictEqual(withReferences(content, mine), content);
        if (isDeepStrictEqual(plain.get(name), content) && !leadsToOwn) continue;
        mine.set(name, freeName(service, name, taken));
        isNew = true;
      }
  }
  return own;
}

/** `schemas.Error` of the catalog becomes `schemas.CatalogError`. */
function freeName(service: string, name: string, taken: Set<string>): string {
  const capital = service.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  let found = name;
  do found = found.replace('.', `.${capital}`);
  while (taken.has(found));
  taken.add(found);
  return found;
}

const namesIn = (document: Json): Names =>
  new Map(
    Object.entries(object(document['components'])).flatMap(([section, entries]) =>
      section === 'securitySchemes'
        ? []
        : Object.entries(object(entries)).map(([name, content]) => [`${section}.${name}`, content] as const),
    ),
  );

const componentsOf = (document: Json, renamed: ReadonlyMap<string, string>): Json =>
  Object.fromEntries(
    Object.entries(object(document['components'])).map(([section, entries]) => [
      section,
      Object.fromEntries(
        Object.entries(object(entries)).map(([name, content]) => {
          const other = renamed.get(`${section}.${name}`);
          return [other?.slice(section.length + 1) ?? name, content];
        }),
      ),
    ]),
  );

const prefix = '#/components/';

/** The same, whose references to components lead to their new names. */
function withReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (renamed.size === 0) return value;
  if (typeof value === 'string') {
    if (!value.startsWith(prefix)) return value;
    const [section, name, ...rest] = value.slice(prefix.length).split('/');
    const other = renamed.get(`${section}.${name}`);
    return other === undefined ? value : prefix + [other.replace('.', '/'), ...rest].join('/');
  }
  if (Array.isArray(value)) return value.map((each) => withReferences(each, renamed));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withReferences(each, renamed)]));
}
