import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BoundedMap } from '@lyceum/kernel';
import { type Frame, frameOf } from './frame.ts';
import type { Answering, Reader, Surface, Visit } from './server-definition.ts';
import { type Ready, readyHead } from './web-exchange.ts';
import { type Words, wordsOf } from './words.ts';

/** Puts a message to the SDK; `methods`: instead of what the surface answers. */
export type Ask = (
  headers: IncomingHttpHeaders,
  message: unknown,
  visit: Visit,
  methods?: Readonly<Record<string, Answering>>,
) => Promise<Response>;

/** Frames that are kept at least. */
const most = 500;

/** What no client would say. */
const mark = (what: string): string => `${what}-${randomBytes(12).toString('hex')}`;
const [idMark, textMark, dataMark] = [mark('id'), mark('text'), mark('data')];
const content = [{ type: 'text' as const, text: textMark }];

/** What stands in the SDK's answer for what is put in later. */
const marks = { id: `"${idMark}"`, text: `"${textMark}"`, data: `{"${dataMark}":true}` };

/** The two shapes of a tool's result that can be put into a frame, as the SDK is shown them. */
const shapes = {
  data: { result: { content, structuredContent: { [dataMark]: true } }, marks: [marks.id, marks.text, marks.data] },
  failed: { result: { content, isError: true }, marks: [marks.id, marks.text] },
} as const;

/**
 * Answers without the SDK what the SDK has already judged in the same words: lists that depend on nothing else, and calls
 * of tools that only read. How an answer is put is never decided here: the SDK is asked once, with marks for what differs
 * from request to request, and its own answer is the frame for all that follow. What it refuses is not remembered.
 */
export class Shortcut {
  readonly #surface: Surface;
  readonly #ask: Ask;
  readonly #frames = new BoundedMap<string, Frame>(most);
  /** By the text that they are cut from: many words lead to one answer. */
  readonly #cut = new BoundedMap<string, Frame>(most);

  constructor(surface: Surface, ask: Ask) {
    this.#surface = surface;
    this.#ask = ask;
  }

  /** The answer, or undefined where the SDK has to give it. */
  async answer(headers: IncomingHttpHeaders, message: unknown, visit: Visit): Promise<Ready | undefined> {
    const words = wordsOf(headers, message);
    if (!words) return undefined;
    const { steady = {}, read } = this.#surface;
    if (Object.hasOwn(steady, words.method)) {
      const frame = await this.#frame(words, steady[words.method]!(visit), [marks.id], headers, visit);
      return frame && this.#filled(frame, words, {});
    }
    const reader = words.method === 'tools/call' ? read?.(words.name) : undefined;
    return reader && this.#call(reader, words, headers, visit);
  }

  async #call(reader: Reader, words: Words, headers: IncomingHttpHeaders, visit: Visit): Promise<Ready | undefined> {
    // The words are judged before the tool does anything.
    const usual = await this.#shaped('data', words, headers, visit);
    if (!usual) return undefined;
    const read = await reader(words.given, visit);
    if (!read) return undefined;
    const frame = read.shape === 'data' ? usual : await this.#shaped(read.shape, words, headers, visit);
    if (!frame) return undefined;
    return this.#filled(frame, words, { [marks.text]: JSON.stringify(read.text), [marks.data]: read.text });
  }

  #shaped(shape: keyof typeof shapes, words: Words, headers: IncomingHttpHeaders, visit: Visit) {
    const { result, marks: places } = shapes[shape];
    return this.#frame(words, shape, places, headers, visit, { 'tools/call': () => result });
  }

  async #frame(
    words: Words,
    depends: string,
    places: readonly string[],
    headers: IncomingHttpHeaders,
    visit: Visit,
    methods?: Readonly<Record<string, Answering>>,
  ): Promise<Frame | undefined> {
    const key = `${words.key}\n${depends}`;
    const known = this.#frames.get(key);
    if (known) return known;
    const answer = await this.#ask(headers, words.under(idMark), visit, methods);
    const text = await answer.text();
    if (answer.status !== 200 || !isResult(text)) return undefined;
    const frame = this.#cut.get(text) ?? frameOf(text, readyHead(Object.fromEntries(answer.headers)), places);
    if (!frame) return undefined;
    this.#cut.set(text, frame);
    this.#frames.set(key, frame);
    return frame;
  }

  #filled(frame: Frame, { id }: Words, filling: Readonly<Record<string, string>>): Ready {
    return { head: frame.head, body: frame.filled({ ...filling, [marks.id]: JSON.stringify(id) }) };
  }
}

/** Whether an answer, as JSON or as the one event of a stream, is a result. */
const isResult = (text: string): boolean =>
  Object.hasOwn(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as object, 'result');
