/** What may stand in a template: text is escaped, markup is not, `undefined` and `false` leave nothing, a list is joined. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[];

/** Markup that is safe to send: made by {@link html} or vouched for by {@link trusted}, never by a cast. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** U+000D is here because a parser turns a bare one into U+000A; as a reference it stays what it was. */
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

/** Text as it may stand between tags and inside a quoted attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"'\r]/g, (character) => references[character] as string);

const render = (value: HtmlValue): string => {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
};

/**
 * Markup from a template; every value is escaped unless it is markup already.
 * Throws a TypeError when a value would stand as an unquoted attribute, the one place where escaping does not protect.
 * Not for values inside `<script>` or `<style>`: those have other rules, and these pages have none.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = pieces.map((piece, index) => {
    if (index === values.length) return piece;
    if (/=\s*$/.test(piece)) throw new TypeError(`an attribute without quotes: ${piece.trim()}`);
    return piece + render(values[index]);
  });
  return new Html(markup.join(''));
}

/** Markup that the caller vouches for: constants of this folder, never anything from a request. */
export const trusted = (markup: string): Html => new Html(markup);
