import { z } from 'zod';

/** JSON as a schema has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Words that explain and promise nothing. */
const prose: ReadonlySet<string> = new Set(['$schema', 'description', 'title', 'example', 'examples']);

/** A shape is the same under another name, and in its own place. */
const nameless = {
  get(schema: z.ZodType) {
    const { id: _name, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
} as typeof z.globalRegistry;

/**
 * What a schema lets onto the wire, as JSON Schema (draft 2020-12) with sorted keys and without explanations: equal for
 * two schemas exactly when they accept the same shapes, as far as JSON Schema can say it.
 */
export const wireSchema = (schema: z.ZodType): JsonSchema =>
  plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: nameless })) as JsonSchema;

/**
 * The same for people and programs that read it: JSON Schema of draft-07, which AsyncAPI documents have, with descriptions.
 * Objects stay open, because a release may add fields.
 */
export const publishedSchema = (schema: z.ZodType): JsonSchema => {
  const { $schema: _dialect, ...published } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: nameless,
    target: 'draft-7',
    reused: 'inline',
  });
  return published as JsonSchema;
};

function plain(value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => inProperties || !prose.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    // What stands under `properties` are names of fields, which may be called like a word of the schema language.
    .map(([key, inner]) => [key, plain(inner, !inProperties && key === 'properties')]);
  return Object.fromEntries(entries);
}
