import { largestFile, mediaPaths } from '@lyceum/contracts';
import type { IncomingMessage } from 'node:http';

/** Largest body that is passed on to a service, in bytes. Services read less, each as much as it needs. */
export const largestBody = 1024 * 1024;

/** The same for a path: the bytes of files go straight to the disk. */
export const largestBodyAt = (path: string): number =>
  path.startsWith(`${mediaPaths.sending}/`) ? largestFile : largestBody;

/** Whether a request says that its body is larger than `limit` bytes. */
export const announcesMore = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['content-length'] !== undefined && Number(headers['content-length']) > limit;

/** Bytes of a body that are waited for before a service is asked: forms and most JSON are smaller. */
const awaited = 64 * 1024;
/** Milliseconds in which a body begins to come, or a small one is whole. */
const patience = 15_000;
/** Bytes that a larger one brings in a second at least, beyond that. */
const slowest = 16 * 1024;

/** How slow a client may be. */
export interface Slowness {
  readonly patience: number;
  readonly slowest: number;
}

/** Methods whose body means nothing. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request brings a body that will be read. */
export const bringsBody = ({ method = 'GET', headers }: IncomingMessage): boolean =>
  !bodiless.has(method) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Hears of a body. Each is called once at most. */
interface Listener {
  /** It is whole, or as much of it as is waited for. */
  ready(): void;
  /** It is too slow. */
  late(): void;
  /** It is larger than any service reads. */
  exceeded(): void;
  /** Nothing more of it will come. */
  over(): void;
}

/**
 * A body on its way from the client. What comes first is kept where Node puts it, so nothing is copied; after that whoever
 * reads it holds the client back. What is beyond `limit` bytes is read and thrown away, so that the client can read why
 * it is refused.
 */
export class BodyArrival {
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #announced: number;
  readonly #slowness: Slowness;
  readonly #listener: Listener;
  readonly #began = performance.now();
  /** Milliseconds in which not the client was slow, but whoever reads. */
  #heldBack = 0;
  #size = 0;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, limit: number, listener: Listener, slowness: Slowness = { patience, slowest }) {
    this.#request = request;
    this.#limit = limit;
    this.#listener = listener;
    this.#slowness = slowness;
    this.#announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => this.#arrived(push, chunk, encoding);
    this.#timer = setTimeout(() => this.#look(slowness.patience), slowness.patience).unref();
    request.once('close', () => this.#over());
  }

  /** Nothing is waited for any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isReady = true;
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#listener.over();
  }

  #arrived(push: IncomingMessage['push'], chunk: Buffer | null, encoding: BufferEncoding | undefined): boolean {
    const before = this.#size;
    this.#size += chunk?.length ?? 0;
    if (this.#size > this.#limit) {
      if (before <= this.#limit) this.#listener.exceeded();
      return true;
    }
    const wantsMore = push(chunk, encoding);
    const isWhole = chunk === null || this.#size >= this.#announced;
    if (isWhole) this.#over();
    if (this.#isReady) return wantsMore;
    if (!isWhole && this.#size < awaited) return true;
    this.#isReady = true;
    // Not within the parser's turn: what follows may take a while, or end the connection.
    queueMicrotask(() => this.#listener.ready());
    return wantsMore;
  }

  /** Looks whether a body that is not whole is too slow, and when to look again. */
  #look(since: number): void {
    const request = this.#request;
    if (request.destroyed || request.complete) return;
    if (request.readableLength >= request.readableHighWaterMark) this.#heldBack += since;
    const allowed = this.#slowness.patience + this.#heldBack + (this.#size / this.#slowness.slowest) * 1_000;
    const isSmall = this.#announced <= awaited || !this.#isReady;
    if (isSmall || performance.now() - this.#began >= allowed) return this.#listener.late();
    this.#timer = setTimeout(() => this.#look(1_000), 1_000).unref();
  }
}
