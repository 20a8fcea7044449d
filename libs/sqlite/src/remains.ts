/** Bytes of a page from the first up to the one before the last. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The file begins with a header of so many bytes, which the first page has before everything else. */
export const fileHeader = 100;

/** Bytes of the header of a b-tree page, by its kind: inner pages have a pointer more than leaves. */
const pageHeaders = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);

/** From so many pages on, the number of a page at the beginning of another one may look like the kind of a b-tree page. */
export const mostPages = 0x02_00_00_00;

const none = Buffer.alloc(65_536);

/**
 * Where a page holds bytes that belong to nothing: in the gap between the pointers to its cells and the cells, where copies
 * stay of cells that moved to another page, and in blocks that are free. Empty for a page without any, and for one that is not of a b-tree:
 * the engine overwrites those when they become free (`secure_delete`). `at`: 100 for the first page of a file, else 0.
 * The format: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export function remainsIn(page: Buffer, at: number): readonly Stretch[] {
  const header = pageHeaders.get(page[at]!);
  if (header === undefined) return [];
  const cells = page.readUInt16BE(at + 3);
  // 0 stands for 65,536.
  const content = page.readUInt16BE(at + 5) || 65_536;
  const found: Stretch[] = [];
  const look = (from: number, to: number) => {
    if (from < to && to <= page.length && page.compare(none, 0, to - from, from, to) !== 0) found.push({ from, to });
  };
  look(at + header + 2 * cells, content);
  // Each free block begins with the place of the next one and its own length, in ascending order.
  for (let block = page.readUInt16BE(at + 1), last = 0; block > last && block + 4 <= page.length;) {
    look(block + 4, block + page.readUInt16BE(block + 2));
    [last, block] = [block, page.readUInt16BE(block)];
  }
  return found;
}
