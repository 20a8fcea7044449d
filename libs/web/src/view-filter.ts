import { z } from 'zod';
import type { View } from './operation.ts';

const rank: Record<View, number> = { anonymous: 0, member: 1, staff: 2 };

/** Who sees a field: the most restrictive mark on the schema or on a wrapper around it. */
export function seenBy(schema: z.ZodType): View {
  let most: View = 'anonymous';
  for (let current: z.ZodType | undefined = schema; current; current = innerOf(current)) {
    const sees = current.meta()?.['sees'];
    if ((sees === 'member' || sees === 'staff') && rank[sees] > rank[most]) most = sees;
  }
  return most;
}

const innerOf = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as unknown as { innerType?: z.ZodType }).innerType;

/**
 * The reply schema as a view sees it: fields marked `.meta({ sees })` for a higher view are gone from every object in it.
 * Parsing with it drops what the schema does not declare, so neither an unknown nor a hidden field can leave. A marked
 * field may be missing in every view, since a handler may show one item of a list less than another.
 */
export function narrow(schema: z.ZodType, view: View): z.ZodType {
  return new Narrowing(view).of(schema);
}

interface Def {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly catchall?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

class Narrowing {
  readonly #view: View;
  readonly #done = new Map<z.ZodType, z.ZodType>();
  readonly #pending = new Set<z.ZodType>();

  constructor(view: View) {
    this.#view = view;
  }

  of(schema: z.ZodType): z.ZodType {
    const done = this.#done.get(schema);
    if (done) return done;
    if (this.#pending.has(schema)) return z.lazy(() => this.#done.get(schema)!);
    this.#pending.add(schema);
    const narrowed = this.#rebuild(schema);
    this.#done.set(schema, narrowed);
    return narrowed;
  }

  #rebuild(schema: z.ZodType): z.ZodType {
    const def = schema.def as unknown as Def;
    if (def.type === 'object') return this.#object(schema, def);
    if (def.type === 'lazy') return z.lazy(() => this.of(def.getter!()));
    const inner: Record<string, unknown> = {};
    for (const part of ['innerType', 'element', 'valueType', 'left', 'right', 'in', 'out'] as const)
      if (def[part]) inner[part] = this.of(def[part]);
    for (const parts of ['options', 'items'] as const)
      if (Array.isArray(def[parts])) inner[parts] = def[parts].map((part) => this.of(part as z.ZodType));
    return Object.keys(inner).length === 0 ? schema : z.core.clone(schema, { ...schema.def, ...inner } as never);
  }

  #object(schema: z.ZodType, def: Def): z.ZodType {
    const visible = Object.entries(def.shape!).filter(([, field]) => rank[seenBy(field)] <= rank[this.#view]);
    const shape = Object.fromEntries(
      visible.map(([name, field]) => {
        const narrowed = this.of(field);
        return [name, seenBy(field) === 'anonymous' ? narrowed : narrowed.optional()];
      }),
    );
    // Strictness would turn a hidden field into a failure; refinements may read fields that are gone.
    const catchall = def.catchall?.def.type === 'never' ? undefined : def.catchall;
    return z.core.clone(schema, { ...schema.def, shape, catchall, checks: [] } as never);
  }
}
