/** Text as it may stand in a line of Markdown: it opens no link, no markup and no other line, whatever is in it. */
export const markdownText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|#&]/g, (character) => `\\${character}`);

/** A table with a head; the cells are Markdown. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Seconds as people say them. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, name] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? units[3];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
