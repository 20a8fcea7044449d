type Json = Readonly<Record<string, unknown>>;

/** What a JSON schema lets in, as far as two that are written in two places can be compared. */
export interface Limits {
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly values: readonly unknown[];
  readonly bounds: Json;
  readonly items: Limits | undefined;
  /** By name; of alternatives all together. */
  readonly properties: Readonly<Record<string, Limits>>;
}

const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

/** The limits of a schema of OpenAPI 3.0 or JSON Schema 2020-12. `root`: where its references lead. */
export function limitsOf(schema: Json, root: Json): Limits {
  const options = alternatives(schema, root);
  const isNull = (option: Json) => option['type'] === 'null' || JSON.stringify(option['enum']) === '[null]';
  const some = options.filter((option) => !isNull(option));
  const values = some.flatMap((option) =>
    'const' in option ? [option['const']] : ((option['enum'] ?? []) as unknown[]),
  );
  const items = some.map((option) => option['items'] as Json | undefined).find((each) => each !== undefined);
  return {
    types: [...new Set(some.flatMap(typesOf).filter((type) => type !== 'null'))].sort(),
    nullable:
      some.length < options.length ||
      some.some((option) => typesOf(option).includes('null')) ||
      some.some((option) => option['nullable'] === true),
    values: values.filter((value) => value !== null).sort(),
    bounds: Object.assign({}, ...some.map((option) => picked(option))) as Json,
    items: items && limitsOf(items, root),
    properties: Object.fromEntries(
      some.flatMap((option) =>
        Object.entries((option['properties'] ?? {}) as Record<string, Json>).map(([name, each]) => [
          name,
          limitsOf(each, root),
        ]),
      ),
    ),
  };
}

/** JSON Schema 2020-12 may list several. */
const typesOf = ({ type }: Json): readonly string[] => (Array.isArray(type) ? type.map(String) : [String(type)]);

const picked = (option: Json): Json =>
  Object.fromEntries(bounds.filter((name) => option[name] !== undefined).map((name) => [name, option[name]]));

/** The schemas of which a value follows one. */
function alternatives({ $ref, allOf, anyOf, oneOf, ...rest }: Json, root: Json): readonly Json[] {
  if (typeof $ref === 'string') {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (part as Json)[name], root);
    return alternatives(found as Json, root);
  }
  const parts = (allOf ?? anyOf ?? oneOf) as readonly Json[] | undefined;
  if (!parts) return [rest];
  const nullable = rest['nullable'] === true ? { nullable: true } : {};
  return parts.flatMap((part) => alternatives(part, root)).map((part) => ({ ...part, ...nullable }));
}

/** What of the limits in one place contradicts those in the other, which may say less of bounds; as sentences. */
export function contradictions(tool: Limits, service: Limits, at: string): readonly string[] {
  const differs = (['types', 'nullable', 'values'] as const)
    .filter((name) => JSON.stringify(tool[name]) !== JSON.stringify(service[name]))
    .map((name) => `${at}: ${name} ${JSON.stringify(tool[name])} instead of ${JSON.stringify(service[name])}`);
  const bounded = Object.entries(tool.bounds)
    .filter(([name, bound]) => service.bounds[name] !== bound)
    .map(([name, bound]) => `${at}: ${name} ${String(bound)} instead of ${String(service.bounds[name])}`);
  const inner = tool.items && service.items ? contradictions(tool.items, service.items, `${at}[]`) : [];
  return [...differs, ...bounded, ...inner, ...ofProperties(tool, service, at)];
}

function ofProperties(tool: Limits, service: Limits, at: string): readonly string[] {
  const names = new Set([...Object.keys(tool.properties), ...Object.keys(service.properties)]);
  return [...names].flatMap((name) => {
    const [one, other] = [tool.properties[name], service.properties[name]];
    if (one && other) return contradictions(one, other, `${at}.${name}`);
    return [`${at}.${name}: only ${one ? 'the tool' : 'the service'} has it`];
  });
}
