/** What a spreadsheet would take for a formula, also behind spaces. */
const formula = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;

/** Text that no spreadsheet calculates: an apostrophe stands before what one would. @see OWASP CSV Injection */
const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Numbers stand as they are: a minus in front of digits calculates nothing. */
const cellOf = (cell: string | number | boolean | null): string =>
  typeof cell === 'string' ? quoted(harmless(cell)) : String(cell ?? '');

/** One record of a CSV file, with its line break. @see RFC 4180 §2 */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`;
