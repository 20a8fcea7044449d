/** Numbers by name, in groups: they are added up, name by name. Integers. */
export interface Figures {
  readonly [name: string]: number | Figures;
}

/** Two sets of figures together. */
export function added(one: Figures | undefined, other: Figures): Figures {
  if (!one) return other;
  const sum: Record<string, number | Figures> = { ...one };
  for (const name in other) {
    const [here, more] = [sum[name], other[name]!];
    if (typeof more === 'number') sum[name] = (typeof here === 'number' ? here : 0) + more;
    else sum[name] = added(typeof here === 'object' ? here : undefined, more);
  }
  return sum;
}

/** Many sets of figures together. */
export const sumOf = (all: Iterable<Figures>): Figures => {
  let sum: Figures = {};
  for (const each of all) sum = added(sum, each);
  return sum;
};

/** A figure by its name; 0 where there is none. */
export const figure = (figures: Figures | undefined, name: string): number => {
  const found = figures?.[name];
  return typeof found === 'number' ? found : 0;
};

/** A group of figures by its name; undefined where there is none. */
export const group = (figures: Figures | undefined, name: string): Figures | undefined => {
  const found = figures?.[name];
  return typeof found === 'object' ? found : undefined;
};
