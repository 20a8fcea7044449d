import { z } from 'zod';
import { seenBy } from '../replies/view-filter.ts';

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** Whether a schema describes what clients send or what they get. */
type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';
/** Marks a reference to a component as clients send it, until it is known whether that differs. */
const sent = '~sent';

/**
 * Collects the schemas of one OpenAPI document. Schemas with `.meta({ id })` become components, once; all others stand in
 * their place. A component that is written otherwise than it is read has two entries: `Course` and `CourseInput`.
 */
export class OpenapiSchemas {
  readonly #read = new Map<string, Json>();
  readonly #written = new Map<string, Json>();
  readonly #known = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };
  #parts = 0;

  /**
   * The schema as JSON, or a reference to its component; to be passed through `settle` when all are collected. Many
   * operations share schemas, and each is worked out once.
   */
  of(schema: z.ZodType, io: Direction): Json {
    const known = this.#known[io].get(schema);
    if (known) return known;
    const json = this.#worked(schema, io);
    this.#known[io].set(schema, json);
    return json;
  }

  #worked(schema: z.ZodType, io: Direction): Json {
    const { properties, definitions = {} } = z.toJSONSchema(z.object({ root: schema }), {
      target: 'openapi-3.0',
      io,
      override: ({ zodSchema, jsonSchema }) => polish(zodSchema as unknown as z.ZodType, jsonSchema as Json, io),
    }) as unknown as { properties: { root: Json }; definitions?: Record<string, Json> };
    const names = new Map(Object.keys(definitions).map((id) => [id, this.#nameOf(id)]));
    const point = (id: string): string => (names.get(id) ?? id) + (io === 'input' ? sent : '');
    const collected = io === 'input' ? this.#written : this.#read;
    for (const [id, json] of Object.entries(definitions)) collected.set(names.get(id)!, pointed(json, point) as Json);
    return pointed(properties.root, point) as Json;
  }

  /** A recursive schema without an id still has to be a component. */
  #nameOf(id: string): string {
    return id.startsWith('__') ? `Part${(this.#parts += 1)}` : id;
  }

  /** The collected components, and the given part of the document with its references to them. */
  settle<T>(part: T): { readonly part: T; readonly components: Record<string, Json> } {
    const alike = this.#alike();
    const point = named(alike);
    const components = Object.fromEntries(this.#read);
    for (const [id, json] of this.#written)
      if (!alike.has(id) || !this.#read.has(id)) components[point(id + sent)] = pointed(json, point) as Json;
    return { part: pointed(part, point) as T, components };
  }

  /** The components that are written as they are read, or only written: they need no second entry. */
  #alike(): ReadonlySet<string> {
    const alike = new Set(this.#written.keys());
    const differs = (id: string): boolean => {
      const read = this.#read.get(id);
      return (
        read !== undefined && JSON.stringify(pointed(this.#written.get(id), named(alike))) !== JSON.stringify(read)
      );
    };
    for (let found = true; found;) {
      const different = [...alike].filter(differs);
      for (const id of different) alike.delete(id);
      found = different.length > 0;
    }
    return alike;
  }
}

const named =
  (alike: ReadonlySet<string>) =>
  (id: string): string => {
    if (!id.endsWith(sent)) return id;
    const plain = id.slice(0, -sent.length);
    return alike.has(plain) ? plain : `${plain}Input`;
  };

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
function pointed(json: unknown, name: (id: string) => string): unknown {
  if (Array.isArray(json)) return json.map((each) => pointed(each, name));
  if (typeof json !== 'object' || json === null) return json;
  const { $ref, ...rest } = json as Json;
  const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, pointed(value, name)]));
  if (typeof $ref !== 'string') return nullBeside(unwrapped(others));
  const at = $ref.lastIndexOf('/') + 1;
  const isSchema = !$ref.startsWith('#/components/') || $ref.startsWith(prefix);
  const reference = { $ref: isSchema ? prefix + name($ref.slice(at)) : $ref };
  return Object.keys(others).length === 0 ? reference : nullBeside({ ...others, allOf: [reference] });
}

/** A reference alone needs nothing around it. */
const unwrapped = (json: Json): Json => {
  const { allOf, ...rest } = json;
  return Array.isArray(allOf) && allOf.length === 1 && Object.keys(rest).length === 0 ? (allOf[0] as Json) : json;
};

/** In OpenAPI 3.0.3 `nullable` counts only beside a `type`: where there is none, an alternative that has one takes it. */
function nullBeside(json: Json): Json {
  const { nullable, ...rest } = json;
  if (nullable !== true || json['type'] !== undefined) return json;
  const { anyOf, oneOf, ...others } = rest as Json & { readonly anyOf?: Json[]; readonly oneOf?: Json[] };
  const alternatives: Json[] = anyOf ?? oneOf ?? [others];
  const said = (anyOf ?? oneOf) ? others : {};
  const at = alternatives.findLastIndex((each) => typeof each['type'] === 'string' && each['enum'] === undefined);
  if (at === -1) return { ...said, anyOf: [...alternatives.map(unwrapped), nothing] };
  return { ...said, [oneOf ? 'oneOf' : 'anyOf']: alternatives.with(at, { ...alternatives[at], nullable: true }) };
}

/** Nothing but null. */
const nothing: Json = { type: 'object', nullable: true, enum: [null] };
