import { createRequire } from 'node:module';
import type * as csstree from 'css-tree';

/** Largest style sheet of a school, in bytes of UTF-8. */
export const mostCss = 64 * 1024;

// Loaded when the first style sheet comes: a ninth of all modules of a start, for what few schools have.
const load = createRequire(import.meta.url);
const reader = () => load('css-tree') as Pick<typeof csstree, 'ident' | 'parse' | 'walk'>;

/** Where a browser would run, fetch or embed something; functions are compared in lower case, with escapes resolved. */
const fetching = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade', 'element', 'paint']);
const running = new Set(['expression', 'javascript']);
const refusedRules = new Set(['import', 'charset', 'namespace', 'document', '-moz-document', 'font-face']);
const refusedProperties = new Set(['behavior', '-ms-behavior', '-moz-binding']);

/**
 * What is wrong with a school's own style sheet, as one sentence; undefined when nothing is. It must be CSS from beginning
 * to end, fetch nothing, run nothing and fit into a page: no `@import`, no address, no markup.
 */
export function cssFault(css: string): string | undefined {
  if (Buffer.byteLength(css) > mostCss) return 'is larger than 64 KiB';
  // A style element ends at the first of these, whatever CSS would make of it.
  if (/<\/|<!--|-->|\0/.test(css)) return 'must not contain markup';
  const faults: string[] = [];
  const { parse, walk } = reader();
  const tree = parse(css, {
    parseCustomProperty: true,
    onParseError: ({ message }) => void faults.push(`is not CSS: ${oneLine(message)}`),
  });
  walk(tree, (node) => void faults.push(...faultsOf(node)));
  return faults[0];
}

function faultsOf(node: csstree.CssNode): readonly string[] {
  switch (node.type) {
    case 'Atrule':
      return refusedRules.has(named(node.name)) ? [`must not use @${named(node.name)}`] : [];
    case 'Url':
      return ['must not use url()'];
    case 'Function':
      if (fetching.has(named(node.name))) return [`must not use ${named(node.name)}()`];
      return running.has(named(node.name)) ? ['must not run a script'] : [];
    case 'Declaration':
      return refusedProperties.has(named(node.property)) ? [`must not use ${named(node.property)}`] : [];
    case 'Raw':
      // What the parser gave up on could be anything to a browser.
      return [`is not CSS: ${oneLine(node.value)}`];
    default:
      return [];
  }
}

const named = (name: string): string => reader().ident.decode(name).toLowerCase();

const oneLine = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 100);
