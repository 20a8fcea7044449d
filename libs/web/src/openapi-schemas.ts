import { z } from 'zod';
import { seenBy } from './view-filter.ts';

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** Whether a schema describes what clients send or what they get. */
type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';

/**
 * Collects the schemas of one OpenAPI document. Schemas with `.meta({ id })` become components, once; all others stand in
 * their place. A component that is read otherwise than it is written has two entries: `Course` and `CourseInput`.
 */
export class OpenapiSchemas {
  readonly components: Record<string, Json> = {};
  #anonymous = 0;

  /** The schema as JSON, or a reference to its component. */
  of(schema: z.ZodType, io: Direction): Json {
    const { properties, definitions = {} } = z.toJSONSchema(z.object({ root: schema }), {
      target: 'openapi-3.0',
      io,
      override: ({ zodSchema, jsonSchema }) => polish(zodSchema as unknown as z.ZodType, jsonSchema as Json, io),
    }) as unknown as { properties: { root: Json }; definitions?: Record<string, Json> };
    const names = new Map(Object.entries(definitions).map(([id, json]) => [id, this.#nameFor(id, json, io)]));
    for (const [id, json] of Object.entries(definitions))
      this.components[names.get(id)!] = pointed(json, names) as Json;
    return pointed(properties.root, names) as Json;
  }

  #nameFor(id: string, json: Json, io: Direction): string {
    if (id.startsWith('__')) return `Part${(this.#anonymous += 1)}`;
    const known = this.components[id];
    const itself = new Map([[id, id]]);
    if (!known || JSON.stringify(known) === JSON.stringify(pointed(json, itself)) || io === 'output') return id;
    return `${id}Input`;
  }
}

/** What zod says in its own words, in those of OpenAPI 3.0. */
function polish(schema: z.ZodType, json: Json, io: Direction): void {
  if ('sees' in json) {
    json['x-sees'] = json['sees'];
    delete json['sees'];
  }
  if (Array.isArray(json['examples'])) {
    json['example'] ??= json['examples'][0];
    delete json['examples'];
  }
  if (json['format'] === 'date-time') delete json['pattern'];
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  delete json['id'];
  if (io === 'output' && schema.def.type === 'object') loosen(schema as z.ZodObject, json);
}

/** Replies may grow fields, and lesser views lack some. */
function loosen(schema: z.ZodObject, json: Json): void {
  if (json['additionalProperties'] === false) delete json['additionalProperties'];
  const required = (json['required'] as string[] | undefined)?.filter(
    (name) => seenBy(schema.shape[name] as z.ZodType) === 'anonymous',
  );
  if (required?.length) json['required'] = required;
  else delete json['required'];
}

/** Points references at the components. OpenAPI 3.0 ignores what stands beside a `$ref`, so that is wrapped. */
function pointed(json: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(json)) return json.map((each) => pointed(each, names));
  if (typeof json !== 'object' || json === null) return json;
  const { $ref, ...rest } = json as Json;
  const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, pointed(value, names)]));
  if (typeof $ref !== 'string') return others;
  const id = $ref.slice($ref.lastIndexOf('/') + 1);
  const reference = { $ref: prefix + (names.get(id) ?? id) };
  return Object.keys(others).length === 0 ? reference : { ...others, allOf: [reference] };
}
