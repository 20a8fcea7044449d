import type { JsonSchema } from '@lyceum/contracts';

/** Texts that look like life, tried in turn: by the field's name first, then any that the pattern takes. */
const byName: Readonly<Record<string, string>> = {
  timezone: 'Europe/Lisbon',
  locale: 'en',
  language: 'en',
  currency: 'USD',
  slug: 'paper-lanterns',
  host: 'school.example',
  base_url: 'https://school.example',
  email: 'person@school.example',
  owner_email: 'owner@school.example',
  alg: 'ES256',
  link: 'https://school.example/a',
  cover: 'https://school.example/cover.webp',
  client_uri: 'https://client.example',
  redirect_uri: 'https://client.example/callback',
  until: '2026-01-05T09:00:00.000Z',
};
const texts = [
  'Paper lanterns',
  'paper-lanterns',
  'id_1',
  'USD',
  '2026-01-05T08:00:00.000Z',
  'https://school.example/a',
  'person@school.example',
  'a',
];
const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-05T08:00:00.000Z',
  date: '2026-01-05',
  uri: 'https://school.example/a',
  email: 'person@school.example',
  uuid: '018d3f3e-7a10-7c5e-9b1a-3f2d5c7e9a10',
};

/** Fields that hold names of things rather than words. */
const names = /_id$|_by$|_from$|^(jti|sid|kid|client|account|school|grant|subject|audience|scope)$/;

/** The words of JSON Schema that matter here. */
interface Words {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const deepest = 6;

/** A plausible value of a JSON schema, always the same one. Every field is there; a choice is its first option that is not null. */
export function sampleOf(schema: JsonSchema, name = '', root: JsonSchema = schema, depth = 0): unknown {
  const { $ref, anyOf, oneOf, allOf, enum: options, type } = schema as Words;
  if ($ref !== undefined) return sampleOf(resolve(root, $ref), name, root, depth + 1);
  if ('const' in schema) return schema['const'];
  if (options) return options.find((option) => option !== null);
  const choices = anyOf ?? oneOf;
  if (choices)
    return sampleOf(
      choices.find((choice) => choice['type'] !== 'null')!,
      name,
      root,
      depth,
    );
  if (allOf) return Object.assign({}, ...allOf.map((part) => sampleOf(part, name, root, depth)));
  if (type === 'object') return objectOf(schema, root, depth);
  if (type === 'array') return arrayOf(schema, name, root, depth);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return true;
  return type === 'string' ? textOf(schema, name) : null;
}

function objectOf({ properties = {}, propertyNames }: Words, root: JsonSchema, depth: number): unknown {
  if (propertyNames) return { kty: 'EC' };
  const fields = Object.entries(properties);
  return Object.fromEntries(fields.map(([field, inner]) => [field, sampleOf(inner, field, root, depth + 1)]));
}

function arrayOf({ items, minItems = 0 }: Words, name: string, root: JsonSchema, depth: number): unknown {
  if (!items || (depth > deepest && minItems === 0)) return [];
  return [sampleOf(items, name.replace(/s$/, ''), root, depth + 1)];
}

function numberOf({ minimum, exclusiveMinimum }: Words): number {
  const least = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : exclusiveMinimum;
  return typeof least === 'number' && least > Number.MIN_SAFE_INTEGER ? least + 1 : 1;
}

function textOf({ pattern, format, minLength = 0, maxLength = Infinity }: Words, name: string): string {
  const fits = (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  const id = names.test(name) ? `${name.replace(/_id$/, '')}_1` : undefined;
  const candidates = [byFormat[format ?? ''], byName[name], id, ...texts].filter((text) => text !== undefined);
  return candidates.find(fits) ?? candidates.find((text) => text.length >= minLength)!;
}

function resolve(root: JsonSchema, ref: string): JsonSchema {
  const steps = ref.split('/').slice(1);
  return steps.reduce<JsonSchema>((schema, step) => schema[step] as JsonSchema, root);
}
