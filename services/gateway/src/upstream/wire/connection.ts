import type { Socket } from 'node:net';
import type { AnswerHead } from './answer-head.ts';
import { type AnswerListener, AnswerReader } from './answer-reader.ts';
import { CoarseClock } from './coarse-clock.ts';
import type { OutgoingMessage, Receiver, Sending } from './exchange.ts';
import { type Origin, openSocket } from './origin.ts';
import { Upload, type UploadListener } from './upload.ts';

/** How long things may take, in ticks of the clock. */
export interface Ticks {
  readonly connect: number;
  readonly head: number;
  readonly body: number;
  readonly idle: number;
}

/** Whom connections belong to. */
export interface ConnectionOwner {
  readonly clock: CoarseClock;
  readonly ticks: Ticks;
  /** Another request may be sent. */
  freed(connection: Connection): void;
  /** It is no more. */
  gone(connection: Connection): void;
}

/** Idle connections end this many milliseconds before the service would end them. */
const margin = 2_000;

/**
 * One connection to a service, for one request at a time. It serves another one only when the answer before ended where it
 * said, all of the request was sent, and neither side wants it closed.
 * @see RFC 9112 §9.3
 */
export class Connection implements Sending, AnswerListener, UploadListener {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader = new AnswerReader(this);
  #state: 'opening' | 'open' | 'gone' = 'opening';
  #receiver: Receiver | undefined;
  #message: OutgoingMessage | undefined;
  #upload: Upload | undefined;
  #isPaused = false;
  #hint: string | undefined;
  #idle: number;
  /** The tick at which it has waited too long for what comes next. */
  deadline: number;

  constructor(origin: Origin, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#idle = owner.ticks.idle;
    this.deadline = owner.clock.now + owner.ticks.connect;
    this.#socket = openSocket(
      origin,
      (bytes, length) => this.#read(bytes, length),
      () => this.#opened(),
    );
    this.#socket
      .on('error', (error) => this.#end(error))
      .on('end', () => this.#ended())
      .on('close', () => this.#end(new Error('The service closed the connection')));
  }

  /** Whether the socket still takes a request. */
  get isUsable(): boolean {
    return this.#state === 'open' && this.#socket.writable;
  }

  send(message: OutgoingMessage, receiver: Receiver): void {
    this.#receiver = receiver;
    this.#message = message;
    if (this.#state === 'open') this.#write(message, receiver);
  }

  pause(): void {
    this.#isPaused = true;
    this.deadline = Number.POSITIVE_INFINITY;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.progressed();
    this.#socket.resume();
  }

  abort(reason: Error): void {
    this.#end(reason);
  }

  /** Its deadline has passed. */
  expire(): void {
    const what = this.#state === 'opening' ? 'be reached' : 'go on';
    this.#end(new Error(`The service did not ${what} in time`));
  }

  answered(head: AnswerHead, body: string | undefined): void {
    this.progressed();
    this.#receiver?.answered(head, body);
  }

  received(piece: Buffer): void {
    this.#receiver?.received(piece);
  }

  progressed(): void {
    if (this.#isPaused) return;
    const { clock, ticks } = this.#owner;
    const { head } = this.#reader;
    // A client that is slow to send is no fault of the service; how long it may take is the listener's business.
    if (!head && this.#upload?.isWaiting) this.deadline = Number.POSITIVE_INFINITY;
    else this.deadline = clock.now + (head ? ticks.body : ticks.head);
  }

  misfitted(): void {
    this.#end(new Error('The body of the request is not as long as it says'));
  }

  #opened(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    if (this.#receiver && this.#message) this.#write(this.#message, this.#receiver);
  }

  #write({ method, head, body, length }: OutgoingMessage, receiver: Receiver): void {
    const socket = this.#socket;
    this.#reader.begin(method);
    this.deadline = this.#owner.clock.now + this.#owner.ticks.head;
    receiver.sent();
    if (!body) return void socket.write(head, 'latin1');
    // What is there of the body by then goes out with the head.
    socket.cork();
    socket.write(head, 'latin1');
    this.#upload = new Upload(body, length, socket, this);
    this.progressed();
    process.nextTick(() => socket.uncork());
  }

  #read(bytes: Buffer, length: number): void {
    // Nobody asked: whatever it is, it must not become the answer to somebody's next request.
    if (!this.#receiver) return this.#end(new Error('The service spoke without being asked'));
    try {
      if (this.#reader.read(bytes, length)) this.#complete();
      else if (this.#reader.head) this.progressed();
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #ended(): void {
    if (this.#receiver && this.#reader.endsHere()) this.#complete();
    this.#end(new Error('The service ended the connection'));
  }

  /** The answer is there. */
  #complete(): void {
    const receiver = this.#receiver;
    if (!receiver) return;
    const isReusable = this.#reader.isReusable && (this.#upload?.isDone ?? true) && this.#keeps();
    this.#release();
    if (isReusable) {
      this.resume();
      this.deadline = this.#owner.clock.now + this.#idle;
      this.#owner.freed(this);
    } else this.#end(new Error('The connection is not kept'));
    receiver.ended();
  }

  /** Whether the service keeps the connection long enough for another request, by what it says of that. */
  #keeps(): boolean {
    const hint = this.#reader.head?.keepAlive;
    if (hint !== this.#hint) {
      this.#hint = hint;
      const seconds = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(hint ?? '')?.[1];
      const told =
        seconds === undefined ? Number.POSITIVE_INFINITY : CoarseClock.ticks(Number(seconds) * 1_000 - margin);
      this.#idle = Math.min(this.#owner.ticks.idle, told);
    }
    return this.#idle > 1;
  }

  #release(): void {
    this.#upload?.stop();
    this.#receiver = this.#message = this.#upload = undefined;
  }

  #end(error: Error): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    const receiver = this.#receiver;
    this.#release();
    this.#owner.gone(this);
    this.#socket.destroy();
    receiver?.failed(error);
  }
}
