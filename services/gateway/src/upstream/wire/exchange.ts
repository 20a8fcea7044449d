import type { Readable } from 'node:stream';
import type { AnswerListener } from './answer-reader.ts';

/** A request as it goes on to a service. */
export interface OutgoingMessage {
  readonly method: string;
  /** All of the head, a character for each byte. */
  readonly head: string;
  /** Nothing of it is read before a connection stands. */
  readonly body: Readable | null;
  /** Bytes of the body; undefined where it is chunked. */
  readonly length: number | undefined;
  /** Whose share of the connections it takes; undefined for what belongs to no school. */
  readonly school?: string | undefined;
}

/** Hears what becomes of a request; `ended` or `failed` is the last that it hears. */
export interface Receiver extends AnswerListener {
  /** From now on something of the request may reach the service. */
  sent(): void;
  ended(): void;
  failed(error: Error): void;
}

/** A request on its way. Means nothing any more once its receiver has heard the last. */
export interface Sending {
  /** Reads no more of the answer for now. */
  pause(): void;
  resume(): void;
  /** Ends it; the receiver hears of the failure. */
  abort(reason: Error): void;
}
