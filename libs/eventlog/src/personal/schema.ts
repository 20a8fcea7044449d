/** What can be seen of a zod schema from outside; nothing of zod is needed for it. */
export interface Schema {
  readonly def?: {
    readonly type?: string;
    readonly shape?: Readonly<Record<string, Schema>>;
    readonly element?: Schema;
    readonly innerType?: Schema;
    readonly options?: readonly Schema[];
    readonly valueType?: Schema;
    readonly items?: readonly Schema[];
    readonly rest?: Schema | null;
    readonly left?: Schema;
    readonly right?: Schema;
    readonly in?: Schema;
    readonly getter?: () => Schema;
  };
  meta?(): Readonly<Record<string, unknown>> | undefined;
}

/** A step from a value into it: the name of a field, a place in a list, or any field or place. */
type Step = string | number | typeof anywhere;

/** Every element of a list, or every field of a record. */
export const anywhere = Symbol('anywhere');

/** The schemas right inside a schema, each with the steps that lead to its value: none when it is the same value. */
export function within({ def = {} }: Schema): readonly (readonly [Step | undefined, Schema])[] {
  const same = [def.innerType, def.left, def.right, def.in, def.getter?.(), ...(def.options ?? [])];
  const any = [def.element, def.valueType, def.rest ?? undefined];
  return [
    ...same.flatMap((each) => (each ? [[undefined, each] as const] : [])),
    ...any.flatMap((each) => (each ? [[anywhere, each] as const] : [])),
    ...Object.entries(def.shape ?? {}).map(([name, each]) => [name, each] as const),
    ...(def.items ?? []).map((each, index) => [index, each] as const),
  ];
}

/** Whether a schema takes text and nothing else. */
export const isText = ({ def }: Schema): boolean => def?.type === 'string';
