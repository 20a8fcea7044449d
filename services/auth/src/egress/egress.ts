import type { LookupAddress } from 'node:dns';

/** A request to an address that a client or an operator chose. */
export interface EgressRequest {
  /** An https address, as a URL parser writes it. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Largest answer, in bytes. */
  readonly mostBytes: number;
  /** Milliseconds for everything: name, connection, answer. */
  readonly timeout: number;
}

/** What came back. A redirect is an answer like any other: it is never followed. */
export interface EgressAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Why nothing came back. */
export type EgressFault = 'scheme' | 'name' | 'address' | 'connection' | 'timeout' | 'size' | 'encoding';

/** The request was not made, or its answer not taken. The message names no address: it may be logged. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  readonly fault: EgressFault;

  constructor(fault: EgressFault, cause?: unknown) {
    super(`refused for its ${fault}`, { cause });
    this.fault = fault;
  }
}

/** Requests to the outside whose addresses strangers chose. Throws `EgressRefused`. */
export interface Egress {
  send(request: EgressRequest): Promise<EgressAnswer>;
}

/** What a test or a developer's machine may change; no setting of a production system does. */
export interface EgressOptions {
  /** `host:port` pairs that may be reached though their addresses are not public. */
  readonly allow?: readonly string[];
  /** A certificate authority to trust beside those of the system, as PEM. */
  readonly authority?: string;
  /** Finds all addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}
