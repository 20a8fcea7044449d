/** Bytes of a value, or of an entry of an object, beside what is in it: about. */
const each = 16;

/** About how many bytes a value of plain objects, lists, maps and texts takes in memory; not counted further than `most`. */
export function weightOf(value: unknown, most: number): number {
  let weight = 0;
  const left = [value];
  while (left.length > 0 && weight <= most) {
    const next = left.pop();
    weight += each;
    if (typeof next === 'string') weight += next.length;
    else if (next instanceof Map) for (const [key, entry] of next) left.push(key, entry);
    else if (next instanceof Set) left.push(...next);
    else if (typeof next === 'object' && next !== null) for (const entry of Object.values(next)) left.push(entry);
  }
  return weight;
}
