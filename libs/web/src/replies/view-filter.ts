import { z } from 'zod';
import type { View } from '../operations/operation.ts';

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
 *
 * It holds an answer to names and types. Rules of values (lengths, refinements) were kept when they came in: to keep them
 * with each answer again costs more than all the rest, and a rule that has become stricter would take what is there away.
 */
export function narrow(schema: z.ZodType, view: View): z.ZodType {
  return new Narrowing(view).of(schema);
}

/** Types whose values have rules beside their type. */
const ruled: ReadonlySet<string> = new Set(['string', 'number', 'array']);

interface Def {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly discriminator?: string;
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
  readonly #keepsRules: boolean;
  readonly #done = new Map<z.ZodType, z.ZodType>();
  readonly #pending = new Set<z.ZodType>();

  constructor(view: View, keepsRules = false) {
    this.#view = view;
    this.#keepsRules = keepsRules;
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
    // Rules may be all that tells alternatives apart, or that a transformation relies on.
    const within = def.type === 'pipe' || (def.type === 'union' && def.discriminator === undefined);
    const narrowing = within && !this.#keepsRules ? new Narrowing(this.#view, true) : this;
    const inner: Record<string, unknown> = {};
    for (const part of ['innerType', 'element', 'valueType', 'left', 'right', 'in', 'out'] as const)
      if (def[part]) inner[part] = narrowing.of(def[part]);
    for (const parts of ['options', 'items'] as const)
      if (Array.isArray(def[parts])) inner[parts] = def[parts].map((part) => narrowing.of(part as z.ZodType));
    const isRuled = !this.#keepsRules && ruled.has(def.type) && (def.checks?.length ?? 0) > 0;
    if (Object.keys(inner).length === 0 && !isRuled) return schema;
    return z.core.clone(schema, { ...schema.def, ...inner, ...(isRuled ? { checks: [] } : {}) } as never);
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
