import { markdownText } from './markdown.ts';
import { type Block, type Span, listOf } from './rich-text-blocks.ts';

/** Characters of a rich text that an agent is given at most; the whole is in the course itself. */
const most = 8_000;
const cutNote = '… (cut here: get_course with include: ["description_blocks"] gives the whole text)';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const around: Readonly<Record<string, string>> = { bold: '**', italic: '*', strike: '~~' };

/** A span between its marks; the space at its ends stays outside of them, where Markdown wants it. */
function span({ text, marks, link }: Span): string {
  const raw = textOf(text).slice(0, most);
  const inner = markdownText(raw);
  if (inner === '') return raw === '' ? '' : ' ';
  const named = Array.isArray(marks) ? marks : [];
  // Code shows what is between its fences as it stands, so nothing in it may be escaped or end it.
  let words = named.includes('code') ? `\`${raw.replaceAll(/[`\s]/g, ' ').trim()}\`` : inner;
  for (const mark of named) words = `${around[String(mark)] ?? ''}${words}${around[String(mark)] ?? ''}`;
  if (typeof link === 'string') words = `[${words}](<${link.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`;
  return `${edge(raw[0])}${words}${edge(raw.at(-1))}`;
}

/** What stands for a character at the end of a span outside of its marks: a space, where it is one. */
const edge = (character: string | undefined): string => (character?.trim() === '' ? ' ' : '');

/** Spans up to as many characters as are wanted of the whole. */
function line(spans: unknown): string {
  let words = '';
  for (const each of listOf<Span>(spans)) {
    if (words.length > most) break;
    words += span(each);
  }
  return words.trim();
}

/** The longest row of backticks in a code decides how long its fences are. */
function fenced(code: string, language: string): string {
  let [longest, row] = [2, 0];
  for (const character of code) longest = Math.max(longest, (row = character === '`' ? row + 1 : 0));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The parts of a block, one after the other: a long list need not be looked at to its end. */
function* partsOf(block: Block): Generator<string> {
  const { type } = block;
  if (type === 'heading') yield `${'#'.repeat(Math.min(6, Math.max(1, Number(block.level) || 2)))} ${line(block.text)}`;
  else if (type === 'paragraph') yield line(block.text);
  else if (type === 'quote') yield `> ${line(block.text)}`;
  else if (type === 'code') yield fenced(textOf(block.code).slice(0, most), textOf(block.language));
  else if (type === 'list' && Array.isArray(block.items))
    for (const [at, item] of block.items.entries())
      yield `${block.ordered === true ? `${at + 1}.` : '-'} ${line(item)}`;
}

/**
 * Rich text as Markdown, block by block, cut with a note after some thousand characters. Text that is no tree of blocks is
 * given as it is. Takes linear time whatever is in it.
 */
export function richTextMarkdown(value: unknown): string {
  if (typeof value === 'string') return value.length > most ? `${value.slice(0, most)}\n\n${cutNote}` : value;
  let text = '';
  for (const block of listOf<Block>(value)) {
    let between = text === '' ? '' : '\n\n';
    for (const part of partsOf(block)) {
      if (text.length + part.length > most) return `${text}${between}${cut(part, most - text.length)}${cutNote}`;
      text += `${between}${part}`;
      between = '\n';
    }
  }
  return text;
}

/** The beginning of a part that is too long, up to the end of a word. Half a code block would leave its fence open. */
function cut(part: string, length: number): string {
  if (part.startsWith('```')) return '';
  const end = part.lastIndexOf(' ', length);
  return end <= 0 ? '' : `${part.slice(0, end)} `;
}
