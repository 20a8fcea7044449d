/** Values of a form, nested as the names of its fields say. */
export interface Form {
  readonly [name: string]: string | Form;
}

/** Reads `metadata[school]=school_1&line_items[0][quantity]=1`, as Stripe's API is spoken to. */
export function formOf(body: string): Form {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop();
    if (last === undefined) continue;
    let inner = root;
    for (const part of path) {
      const next = (inner[part] ??= {});
      if (typeof next !== 'object' || next === null) throw new TypeError(`${name} is a value and a form`);
      inner = next as Record<string, unknown>;
    }
    inner[last] = value;
  }
  return root as Form;
}

/** A part of a form; empty when it has none. */
export const part = (form: Form, name: string): Form => {
  const found = form[name];
  return typeof found === 'object' ? found : {};
};

/** A field of a form; undefined when it is not there. */
export const field = (form: Form, name: string): string | undefined => {
  const found = form[name];
  return typeof found === 'string' ? found : undefined;
};

/** The names of all fields, written as paths: `line_items.0.quantity`. */
export const paths = (form: Form, before = ''): readonly string[] =>
  Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${before}${name}`] : paths(value, `${before}${name}.`),
  );
