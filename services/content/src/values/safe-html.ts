import { deepestElement, isSafeHref, safeElements, voidElements } from '@lyceum/contracts';
import { Parser } from 'htmlparser2';

/** Elements of which nothing is shown, their content neither: it is no text that a person wrote to be read. */
const silent: ReadonlySet<string> = new Set([
  ...'script style template noscript iframe object embed svg math head title'.split(' '),
  ...'textarea select xmp noembed noframes plaintext canvas audio video'.split(' '),
]);

const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (value: string): string => text(value).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** What stays of an attribute of an element; nothing when it may not have it. */
function attribute(element: string, name: string, value: string): string {
  const said = value.trim();
  if (!safeElements[element]?.includes(name) || (name === 'href' && !isSafeHref(said))) return '';
  return ` ${name}="${quoted(said)}"`;
}

/** Writes what a parser finds in the one form that the contracts have for it. */
class SafeWriter {
  html = '';
  /** The elements that are open; null = one that is left out, whose content stays. */
  readonly #open: (string | null)[] = [];
  /** How many of them are written. */
  #depth = 0;
  /** How many elements are open of which nothing is shown. */
  #silent = 0;

  readonly onopentag = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (this.#silent > 0 || silent.has(name)) {
      this.#silent += 1;
      return;
    }
    const isKnown = Object.hasOwn(safeElements, name);
    const isWritten = isKnown && (voidElements.has(name) || this.#depth < deepestElement);
    if (isWritten)
      this.html += `<${name}${Object.entries(attributes)
        .map(([key, value]) => attribute(name, key, value))
        .join('')}>`;
    if (voidElements.has(name)) return;
    this.#open.push(isWritten ? name : null);
    if (isWritten) this.#depth += 1;
  };

  readonly ontext = (value: string): void => {
    if (this.#silent === 0) this.html += text(value.replaceAll('\0', ''));
  };

  readonly onclosetag = (name: string): void => {
    if (this.#silent > 0) {
      this.#silent -= 1;
      return;
    }
    if (voidElements.has(name)) return;
    const closed = this.#open.pop();
    if (typeof closed !== 'string') return;
    this.#depth -= 1;
    this.html += `</${closed}>`;
  };
}

/**
 * HTML as a client sent it, without all that could run, load or look like something else: elements, attributes and links of
 * a list, written anew from what a parser understood. Takes linear time; the same text again gives the same.
 */
export function sanitizeHtml(html: string): string {
  const writer = new SafeWriter();
  const parser = new Parser(writer, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true });
  parser.end(html.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  return writer.html;
}
