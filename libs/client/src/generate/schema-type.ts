/** Any JSON object of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** A property name as TypeScript writes it. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** What a reference points to, as a type. */
export const nameOf = (ref: string): string => {
  const [, , section, name] = ref.split('/');
  return `components[${JSON.stringify(section)}][${JSON.stringify(name)}]`;
};

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

/** The TypeScript type of an OpenAPI 3.0 schema. What it does not say is `unknown`. */
export function typeOf(schema: Json): string {
  const type = plainTypeOf(schema);
  return schema['nullable'] === true && !type.split(' | ').includes('null') ? `${type} | null` : type;
}

function plainTypeOf(schema: Json): string {
  const { $ref, enum: values, allOf, oneOf, anyOf, type, items } = schema as Readonly<Record<string, never>>;
  if ($ref) return nameOf($ref);
  if (values) return (values as unknown[]).map((each) => JSON.stringify(each)).join(' | ');
  if (allOf) return parts(allOf, ' & ');
  if (oneOf ?? anyOf) return parts((oneOf ?? anyOf)!, ' | ');
  if (type === 'array') return `(${items ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object' || schema['properties']) return objectOf(schema);
  return primitives[type ?? ''] ?? 'unknown';
}

const parts = (schemas: readonly Json[], by: string): string =>
  schemas
    .map(typeOf)
    .map((each) => (by === ' & ' && each.includes(' | ') ? `(${each})` : each))
    .join(by);

function objectOf(schema: Json): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Json>>);
  const required = (schema['required'] ?? []) as readonly string[];
  const more = schema['additionalProperties'];
  const fields = properties.map(
    ([name, each]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(each)};`,
  );
  if (fields.length === 0 && more === false) return 'Record<string, never>';
  const open = typeof more === 'object' && more !== null ? typeOf(more as Json) : 'unknown';
  if (fields.length === 0) return `{ [name: string]: ${open} }`;
  return `{ ${fields.join(' ')} }`;
}
