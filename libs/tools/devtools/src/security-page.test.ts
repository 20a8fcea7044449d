import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** A proof: `[name.test.ts](path): title of the test`. Prettier may have escaped characters of the title. */
const proofs = [...page.matchAll(/\[[\w.-]+\.test\.ts\]\(([^)]+)\): (.+)$/gm)].map(([, file, title]) => ({
  file: file!,
  title: title!.replaceAll(/\\([_*<>[\]])/g, '$1'),
}));

/** Everything that RFC 9700 recommends or describes, but for how it describes it. */
const items = ['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'].concat(
  Array.from({ length: 17 }, (_, index) => `4.${index + 1}`),
);

/** The titles of tests in a source, as they are written: the quotes of each are left away. */
function holds(file: string, title: string): boolean {
  const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

describe('the security page', () => {
  test('names enough proofs to be about something', () => expect(proofs.length).toBeGreaterThan(50));

  test.each(proofs)('$title', ({ file, title }) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(holds(file, title)).toBe(true);
  });

  test.each(items)('RFC 9700 §%s has an entry with a proof', (item) => {
    const from = page.indexOf(`### §${item} `);
    expect(from).toBeGreaterThan(-1);
    const entry = page.slice(from, page.indexOf('\n###', from + 1));
    expect(entry).toMatch(/\.test\.ts\]/);
  });
});
