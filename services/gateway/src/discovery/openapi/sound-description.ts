import { isObject } from '@lyceum/kernel';
import type { ServiceOf } from '../../routing/service-of-path.ts';
import { type Json, type ServiceDescription, object } from './school-openapi.ts';

/** A description that would spoil the document of all services, or that is none. It is left out. */
export class UnsoundDescription extends Error {
  override readonly name = 'UnsoundDescription';
}

/** How deep objects and lists may stand in each other, and how many there may be. */
const [deepest, most] = [64, 200_000];
/** Methods of operations. @see OpenAPI 3.0 §4.7.9.1 */
const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** What leads a client, and its token, to another address; whole documents have it once, for all services. */
const leading = ['servers', 'callbacks'];

/**
 * Refuses a description from another process that no document can be made of: too deep or too large, with operations that
 * are none, with references that lead nowhere or elsewhere, or with addresses of its own. Throws `UnsoundDescription`.
 */
export function requireSound({ service, document }: ServiceDescription): void {
  const refuse = (what: string): never => {
    throw new UnsoundDescription(`the description of ${service} ${what}`);
  };
  if (!isRecord(document)) refuse('is no object');
  walk(document, refuse);
  for (const [path, item] of Object.entries(objectIn(document, 'paths', refuse))) {
    if (!isRecord(item)) refuse(`has no operations at ${path}`);
    for (const [method, operation] of Object.entries(object(item))) {
      const fault = methods.includes(method) ? faultOf(operation) : 'is no method of an operation';
      if (fault !== undefined) refuse(`cannot be used: ${method} ${path} ${fault}`);
    }
  }
  const sections = Object.entries(objectIn(document, 'components', refuse));
  for (const [section, entries] of sections) if (!isRecord(entries)) refuse(`has no components.${section}`);
  if (document['tags'] !== undefined && !isListOf(document['tags'], (tag) => typeof object(tag)['name'] === 'string'))
    refuse('has tags without a name');
}

/**
 * Leaves out whose operations have the id of another one, which the document may have once: of two services the one that
 * comes with Lyceum stays, else the first. Only what `ownerOf` leads to a service counts as its own.
 */
export function distinct(described: readonly ServiceDescription[], ownerOf: ServiceOf): readonly ServiceDescription[] {
  const taken = new Set<string>();
  return inRank(described).filter((each) => {
    const ids = operationIds(each, ownerOf);
    if (new Set(ids).size < ids.length || ids.some((id) => taken.has(id))) return false;
    for (const id of ids) taken.add(id);
    return true;
  });
}

const inRank = (described: readonly ServiceDescription[]): readonly ServiceDescription[] =>
  described.toSorted((a, b) => Number(a.isAdded ?? false) - Number(b.isAdded ?? false));

const operationIds = ({ service, document }: ServiceDescription, ownerOf: ServiceOf): readonly string[] =>
  Object.entries(object(document['paths']))
    .filter(([path]) => ownerOf(path) === service)
    .flatMap(([, item]) => Object.values(object(item)))
    .flatMap((operation) => {
      const id = object(operation)['operationId'];
      return isText(id) ? [id] : [];
    });

function objectIn(document: Json, name: string, refuse: (what: string) => never): Json {
  const found = document[name];
  if (found === undefined) return {};
  return isRecord(found) ? found : refuse(`has ${name} that are no object`);
}

const isListOf = (value: unknown, is: (each: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);

const isRecord = (value: unknown): value is Json => isObject(value) && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

function faultOf(value: unknown): string | undefined {
  const { operationId: id, responses, security, parameters, tags, ...rest } = object(value);
  if (!isText(id) || id === '') return 'has no operationId';
  if (!isRecord(responses) || !Object.values(responses).every(isRecord)) return 'has no responses';
  if (security !== undefined && !isListOf(security, isRequirement)) return 'has a security requirement that is none';
  if (parameters !== undefined && !isListOf(parameters, isRecord)) return 'has parameters that are none';
  if (tags !== undefined && !isListOf(tags, isText)) return 'has tags that are none';
  const elsewhere = leading.find((name) => name in rest);
  return elsewhere && `has ${elsewhere} of its own`;
}

const isRequirement = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((scopes) => isListOf(scopes, isText));

/** Looks at every object and list, without recursion: a hostile one is deeper than the stack. */
function walk(document: Json, refuse: (what: string) => never): void {
  const left: [value: object, depth: number][] = [[document, 1]];
  for (let seen = 0; left.length > 0; seen += 1) {
    const [value, depth] = left.pop()!;
    if (depth > deepest) refuse(`is deeper than ${deepest}`);
    if (seen > most) refuse(`has more than ${most} parts`);
    if (Object.hasOwn(value, '__proto__')) refuse('has a name that is none');
    const reference = (value as Json)['$ref'];
    if (isText(reference) && !isThere(document, reference)) refuse(`refers to ${reference.slice(0, 200)}`);
    for (const each of Object.values(value))
      if (typeof each === 'object' && each !== null) left.push([each, depth + 1]);
  }
}

/** Whether a reference leads to a component of the same description. */
function isThere(document: Json, reference: string): boolean {
  const [, section, name] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(reference) ?? [];
  if (section === undefined || name === undefined) return false;
  const entries = object(object(document['components'])[section]);
  return Object.hasOwn(entries, name);
}
