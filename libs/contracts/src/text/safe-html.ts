/*
 * HTML that a school writes is kept in one form only: elements of this list, their attributes in double quotes, every other
 * character as text. Whoever puts it into a page looks again, by the same list.
 */

/** The elements that the HTML of a school may have, and the attributes of each. */
export const safeElements: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      ...'p br hr h2 h3 h4 blockquote q cite pre code kbd div span'.split(' '),
      ...'strong b em i u s sub sup small mark ul ol li dl dt dd'.split(' '),
      ...'table caption thead tbody tfoot tr figure figcaption'.split(' '),
    ].map((name) => [name, []]),
  ),
  a: ['href'],
  abbr: ['title'],
  th: ['scope'],
  td: [],
};

/** Elements without content. */
export const voidElements: ReadonlySet<string> = new Set(['br', 'hr']);

/** How deep elements may lie in each other. */
export const deepestElement = 30;

/** Whether a link leads somewhere that runs nothing: a path of the school's site, a place in the page, the web, a mailbox. */
export function isSafeHref(href: string): boolean {
  if (/[\p{Control}\s]/u.test(href) || href.includes('\\')) return false;
  if (/^(\/(?!\/)|#)/.test(href)) return true;
  return URL.canParse(href) && /^(https?:\/\/|mailto:)/i.test(href);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const written = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => entities[name]!);

/** A tag as this form writes it; of what begins with `<` nothing else is a tag. */
const tag = /<(\/?)([a-z][a-z0-9]{0,15})((?: [a-z]{1,10}="[^"<>]*"){0,4})>/y;
const attribute = / ([a-z]{1,10})="([^"<>]*)"/g;

const isSafeAttribute = (element: string, name: string, value: string): boolean =>
  safeElements[element]!.includes(name) && (name !== 'href' || isSafeHref(written(value)));

/** Whether a text is HTML of this form, all of it: known elements, closed in order, and text between them. */
export function isSafeHtml(html: string): boolean {
  const open: string[] = [];
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    tag.lastIndex = at;
    const [whole, slash, name = '', attributes = ''] = tag.exec(html) ?? [];
    if (whole === undefined || !Object.hasOwn(safeElements, name)) return false;
    if (slash === '/') {
      if (attributes !== '' || open.pop() !== name) return false;
    } else {
      for (const [, key = '', value = ''] of attributes.matchAll(attribute))
        if (!isSafeAttribute(name, key, value)) return false;
      if (!voidElements.has(name) && open.push(name) > deepestElement) return false;
    }
    at += whole.length;
  }
  return open.length === 0;
}
