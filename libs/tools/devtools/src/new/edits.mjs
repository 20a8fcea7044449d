/** The text with a line after the last one that the pattern finds. */
export function afterLast(text, pattern, line) {
  const found = [...text.matchAll(new RegExp(pattern.source, 'gm'))].at(-1);
  if (!found) return undefined;
  const end = found.index + found[0].length;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** The text with a line at the end of the block that `opening` begins and a line of `closing` ends. */
export function atEndOf(text, opening, closing, line) {
  const begin = text.search(opening);
  const end = begin < 0 ? -1 : text.indexOf(`\n${closing}`, begin);
  return end < 0 ? undefined : `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** The text with one more element at the end of the list that `opening` begins. */
export function withElement(text, opening, element) {
  const begin = opening.exec(text);
  if (!begin) return undefined;
  let end = begin.index + begin[0].length;
  for (let depth = 1; end < text.length; end += 1) {
    if (text[end] === '[') depth += 1;
    if (text[end] === ']') depth -= 1;
    if (depth === 0) break;
  }
  const before = text.slice(0, end).trimEnd();
  return `${before}${/[[,]$/.test(before) ? '' : ','} ${element}${text.slice(end)}`;
}

/** The text with one more import below the others. */
export const withImport = (text, line) => afterLast(text, /^(import|\}) .*from '.*';$/, line);
