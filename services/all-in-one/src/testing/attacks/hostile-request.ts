import fc from 'fast-check';

/** What of an OpenAPI document a request is made of. */
export interface Declared {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** Media type of the body, and the names of its fields. */
  readonly body?: { readonly type: string; readonly fields: readonly string[] };
}

/** One request, ready to be sent. */
export interface HostileRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

type Json = Readonly<Record<string, unknown>>;
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);

/** Every operation of a document. References are followed. */
export function declaredIn(document: Json): readonly Declared[] {
  const resolve = (value: unknown): unknown => {
    const ref = at(value, '$ref');
    return typeof ref === 'string' ? resolve(at(document, ...ref.slice(2).split('/'))) : value;
  };
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = ((at(operation, 'parameters') as unknown[] | undefined) ?? []).map(resolve) as Json[];
      const named = (place: string) =>
        parameters.filter((each) => each['in'] === place).map((each) => String(each['name']));
      const [media] = Object.entries((at(resolve(at(operation, 'requestBody')), 'content') as Json | undefined) ?? {});
      const fields =
        media && Object.keys((at(resolve(at(media[1], 'schema')), 'properties') as Json | undefined) ?? {});
      return {
        method: method.toUpperCase(),
        path,
        query: named('query'),
        headers: named('header'),
        ...(media ? { body: { type: media[0], fields: fields ?? [] } } : {}),
      };
    }),
  );
}

/** Stands in every text; whatever echoes it as markup is at fault. */
export const marker = `<fuzz"'&>`;

const nasty = [
  marker,
  '',
  ' ',
  '\0',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{"$gt":""}',
  '$where',
  '__proto__',
  'constructor',
  '%00%ff%zz',
  '\ud800',
  '\u202e\u0000\uffff',
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  'x'.repeat(5_000),
  'https://evil.example/\\@127.0.0.1',
  'a@b.example\r\nBcc: c@d.example',
  '2026-02-30T25:61:61Z',
  'client_01a2009b-ecf2-738e-8bb2-a5e6991c02d1',
];
const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 60 }), fc.string());
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.double(),
  fc.constantFrom(null, true, [], {}, -1, 2 ** 53, [null], [[[[]]]], { a: { b: { c: 1 } } }),
  fc.jsonValue({ maxDepth: 3 }),
);
const formType = 'application/x-www-form-urlencoded';

const fieldsOf = <T>(names: readonly string[], of: fc.Arbitrary<T>): fc.Arbitrary<Readonly<Record<string, T>>> =>
  fc
    .tuple(fc.subarray([...names]), fc.array(of, { minLength: names.length + 1, maxLength: names.length + 1 }), text)
    .map(([some, values, extra]) =>
      Object.fromEntries([
        ...some.map((name, index) => [name, values[index]!]),
        ...(extra.length % 5 === 0 ? [[extra, values.at(-1)!]] : []),
      ]),
    );

/** Lone surrogates cannot be sent. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

const encoded = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, each]): [string, string] => [wellFormed(name), wellFormed(each)]),
  ).toString();

function bodyOf({ type, fields }: NonNullable<Declared['body']>) {
  const right =
    type === formType
      ? fieldsOf(fields, text).map(encoded)
      : fieldsOf(fields, value).map((json) => JSON.stringify(json));
  const raw = fc.oneof(fc.uint8Array({ maxLength: 300 }), text, fc.json());
  const types = fc.constantFrom(
    type,
    type,
    type,
    type,
    'text/plain',
    'application/json',
    formType,
    `${type};charset=utf-16`,
    'x',
  );
  return fc.tuple(types, fc.oneof({ weight: 4, arbitrary: right }, raw));
}

/** Header values must be latin-1 without line breaks to be sent at all. */
const headerValue = text.map((each) => each.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '').trim());

/** Requests for an operation: some of what it declares, all of it hostile. `ids`: values that exist, by the name of a path parameter. */
export function hostileRequests(
  declared: Declared,
  ids: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<HostileRequest> {
  const names = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const segment = (name: string) =>
    fc.oneof(
      fc.constantFrom(...(ids[name] ?? nasty)),
      text.filter((each) => each !== ''),
    );
  return fc
    .tuple(
      fc.tuple(...names.map(segment)),
      fieldsOf(declared.query, text),
      fieldsOf(declared.headers, headerValue),
      declared.body ? bodyOf(declared.body) : fc.constant(undefined),
    )
    .map(([segments, query, headers, body]) => {
      const path = names.reduce(
        (template, name, index) => template.replace(`{${name}}`, encodeURIComponent(wellFormed(segments[index]!))),
        declared.path,
      );
      const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => declared.headers.includes(name)));
      return {
        method: declared.method,
        url: Object.keys(query).length > 0 ? `${path}?${encoded(query)}` : path,
        headers: body ? { ...sent, 'content-type': body[0] } : sent,
        ...(body ? { body: typeof body[1] === 'string' ? wellFormed(body[1]) : body[1] } : {}),
      };
    });
}
