import type { ErrorCode } from '@lyceum/contracts';
import type { Admission } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { textsFor } from '../../pages/texts/choose-language.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import type { School } from '../../school-projections/school.ts';
import type { AuthPorts } from './auth-ports.ts';
import { Parameters, parametersSlot } from './parameters.ts';
import type { Slot } from './slot.ts';

/** What an endpoint answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object becomes JSON, a string is sent as it is, undefined is an empty body. */
  readonly body?: unknown;
  /** In place of a body: bytes that are sent as they come. One that ends with an error ends the connection. */
  readonly stream?: Readable;
  /** Error code of a page or a redirect: for the log line of the request, never sent. */
  readonly code?: string;
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
}

/** One request and its reply, as the steps of an endpoint see them. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly school: School;
  readonly ports: AuthPorts;
  readonly requestId: string;
  readonly cookies: string[] = [];
  /** The decisions of the rate limits: every reply states them. */
  readonly admissions: Admission[] = [];
  reply: Reply | undefined;
  readonly #values = new Map<Slot<unknown>, unknown>();

  constructor(request: IncomingMessage, school: School, ports: AuthPorts, requestId: string) {
    this.request = request;
    this.school = school;
    this.ports = ports;
    this.requestId = requestId;
  }

  /** Keeps what a step found out. */
  set<T>(slot: Slot<T>, value: T): void {
    this.#values.set(slot, value);
  }

  /** What an earlier step found out; undefined when none did. */
  get<T>(slot: Slot<T>): T | undefined {
    return this.#values.get(slot) as T | undefined;
  }

  /** What an earlier step found out. Throws when none did: then the rows of the matrix are in the wrong order. */
  require<T>(slot: Slot<T>): T {
    const value = this.get(slot);
    if (value === undefined) throw new Error(`no earlier step has set ${slot.name}`);
    return value;
  }

  /** The sentences of pages in the language of the reader. */
  get texts(): Texts {
    const asked = this.get(parametersSlot)?.get('ui_locales');
    return textsFor({ asked, accepted: this.request.headers['accept-language'], school: this.school.locale });
  }

  /** The parameters in the query of the request's address. */
  get query(): Parameters {
    const { url = '' } = this.request;
    const at = url.indexOf('?');
    return Parameters.parse(at < 0 ? '' : url.slice(at + 1));
  }
}

/** One check or one action. It throws to refuse; a step that sets the reply ends the exchange. */
export interface Step {
  (exchange: Exchange): void | Promise<void>;
  /** The codes that it refuses with, as the OpenAPI document lists them. */
  readonly refuses?: readonly ErrorCode[];
}

/** A step that says what it refuses with. */
export const refusing = (refuses: readonly ErrorCode[], step: (exchange: Exchange) => void | Promise<void>): Step =>
  Object.assign(step, { refuses });
