type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an answer that its schema shows to some views only, each with its place and who is to see it. */
interface MarkedField {
  readonly at: string;
  readonly sees: string;
}

/** Where a reference of a document leads. */
const followed = (schema: Json, document: Json): Json => {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const found = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
  return isObject(found) ? followed(found, document) : {};
};

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The marked fields that are in a value, by the OpenAPI schema of it: in any object, in any alternative. */
export function markedFields(value: unknown, schema: Json, document: Json, at = ''): readonly MarkedField[] {
  const { properties, items, additionalProperties, allOf, anyOf, oneOf } = followed(schema, document);
  const alternatives = [...listOf(allOf), ...listOf(anyOf), ...listOf(oneOf)];
  const inAlternatives = alternatives.flatMap((each) => markedFields(value, each, document, at));
  if (Array.isArray(value)) {
    const inItems = isObject(items)
      ? value.flatMap((each, index) => markedFields(each, items, document, `${at}[${index}]`))
      : [];
    return [...inAlternatives, ...inItems];
  }
  if (!isObject(value)) return inAlternatives;
  const named = isObject(properties) ? properties : {};
  const inFields = Object.entries(value).flatMap(([name, field]) => {
    const of = named[name] ?? additionalProperties;
    if (!isObject(of)) return [];
    const sees = of['x-sees'];
    const marked = typeof sees === 'string' ? [{ at: `${at}.${name}`, sees }] : [];
    return [...marked, ...markedFields(field, of, document, `${at}.${name}`)];
  });
  return [...inAlternatives, ...inFields];
}

/** An operation of a document that is asked with GET. */
export interface DocumentedRead {
  readonly path: string;
  /** The schema of its JSON answer; empty when it gives something else. */
  readonly schema: Json;
  /** What it shows whole when it is asked to. */
  readonly expansions: readonly string[];
  /** The statuses that it answers with. */
  readonly statuses: readonly string[];
}

const within = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** Every GET of a document. */
export function documentedReads(document: Json): readonly DocumentedRead[] {
  return Object.entries(isObject(document['paths']) ? document['paths'] : {}).flatMap(([path, methods]) => {
    const operation = within(methods, 'get');
    if (!isObject(operation)) return [];
    const parameters = listOf(operation['parameters']).map((each) => followed(each, document));
    const names = within(
      parameters.find(({ name }) => name === 'expand'),
      'schema',
      'items',
      'enum',
    );
    const responses = isObject(operation['responses']) ? operation['responses'] : {};
    const ok = within(responses, '200');
    const schema = within(isObject(ok) ? followed(ok, document) : {}, 'content', 'application/json', 'schema');
    return [
      {
        path,
        schema: isObject(schema) ? schema : {},
        expansions: Array.isArray(names) ? names.map(String) : [],
        statuses: Object.keys(responses),
      },
    ];
  });
}
