import { htmlText } from './html-text.ts';
import { type Block, type Span, listOf } from './rich-text-blocks.ts';

const elements: Readonly<Record<string, string>> = { bold: 'strong', italic: 'em', strike: 's', code: 'code' };

const textOf = (value: unknown): string => (typeof value === 'string' ? htmlText(value) : '');

/** The catalog keeps other links out; a page looks again, since nothing else stands between a link and a click. */
const isLink = (link: unknown): link is string => typeof link === 'string' && /^(https?:\/\/|mailto:)/.test(link);

function span({ text, marks, link }: Span): string {
  const known = (Array.isArray(marks) ? marks : []).map(String).filter((mark) => Object.hasOwn(elements, mark));
  const marked = known.reduce((inner, mark) => `<${elements[mark]}>${inner}</${elements[mark]}>`, textOf(text));
  return isLink(link) ? `<a href="${htmlText(link)}" rel="noopener noreferrer nofollow">${marked}</a>` : marked;
}

const line = (spans: unknown): string => listOf<Span>(spans).map(span).join('');

/** A heading of a text stands below the heading of its section. */
const levelOf = (level: unknown): number => Math.min(6, Math.max(3, (Number(level) || 2) + 1));

function block({ type, level, ordered, text, items, code }: Block): string {
  switch (type) {
    case 'paragraph':
      return `<p>${line(text)}</p>`;
    case 'heading':
      return `<h${levelOf(level)}>${line(text)}</h${levelOf(level)}>`;
    case 'quote':
      return `<blockquote><p>${line(text)}</p></blockquote>`;
    case 'code':
      return `<pre tabindex="0"><code>${textOf(code)}</code></pre>`;
    case 'list': {
      const element = ordered === true ? 'ol' : 'ul';
      const rows = (Array.isArray(items) ? items : []).map((item) => `<li>${line(item)}</li>`).join('');
      return `<${element}>${rows}</${element}>`;
    }
    default:
      return '';
  }
}

/** Rich text as HTML: elements of ours around text that is escaped. A block of an unknown type is left out. */
export const richTextHtml = (blocks: unknown): string => listOf<Block>(blocks).map(block).join('\n');
