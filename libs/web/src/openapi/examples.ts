import type { z } from 'zod';

interface Inside {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly in?: z.ZodType;
}

/** Where a schema, or a schema in it, has an example that it does not accept itself: paths such as `.prices[].amount`. */
export function brokenExamples(schema: z.ZodType, path = '', seen = new Set<z.ZodType>()): readonly string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const own = schema.meta() ?? {};
  const examples = [
    ...('example' in own ? [own['example']] : []),
    ...((own['examples'] as unknown[] | undefined) ?? []),
  ];
  const broken = examples.some((example) => !schema.safeParse(example).success) ? [path] : [];
  return [...broken, ...insideOf(schema, path).flatMap(([part, at]) => brokenExamples(part, at, seen))];
}

function insideOf(schema: z.ZodType, path: string): readonly (readonly [z.ZodType, string])[] {
  const {
    shape = {},
    options = [],
    element,
    valueType,
    innerType,
    left,
    right,
    in: input,
  } = schema.def as unknown as Inside;
  const same = [innerType, left, right, input, ...options].filter((part) => part !== undefined);
  return [
    ...Object.entries(shape).map(([name, field]) => [field, `${path}.${name}`] as const),
    ...same.map((part) => [part, path] as const),
    ...[element, valueType].filter((part) => part !== undefined).map((part) => [part, `${path}[]`] as const),
  ];
}
