import type { Admission, Problem } from '@lyceum/web';
import type { IncomingMessage } from 'node:http';
import type { KnownAccount } from '../../domain/accounts/account-registry.ts';
import type { AuthorizationRequest } from '../../protocol/authorize/authorization-request.ts';
import type { Client } from '../../domain/clients/client.ts';
import type { LogoutRequest } from '../../protocol/logout/logout-request.ts';
import { textsFor } from '../../pages/texts/choose-language.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import type { AuthPorts } from './auth-ports.ts';
import type { School } from '../../school-projections/school-directory.ts';
import type { Session } from '../../domain/sessions/session.ts';
import type { LiveAccess } from '../../domain/tokens/live-token.ts';
import type { Parameters } from './parameters.ts';

/** What an endpoint answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object becomes JSON, a string is sent as it is, undefined is an empty body. */
  readonly body?: unknown;
  /** Of a failure that a person is shown, or a client is told by a redirect: for the line of the request, never sent. */
  readonly code?: string;
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
}

/** What steps find out, for the steps after them. */
export interface Known {
  /** Parameters of the OAuth request, whichever way they came. */
  parameters: Parameters;
  /** Fields of a form on one of our own pages. */
  form: Parameters;
  metadata: Readonly<Record<string, unknown>>;
  client: Client & { readonly id: string };
  /** Where the browser may be sent back to: checked against the client. */
  redirectUri: string;
  request: AuthorizationRequest;
  /** The person asks to sign in with another account. */
  another: true;
  /** The account that the client expects to be signed in. */
  hinted: string;
  /** When the person was first asked, in milliseconds since the epoch. */
  started: number;
  /** The sealed request, as our pages carry it. */
  interaction: string;
  /** The secret in the browser's visit cookie. */
  visit: string;
  /** A checked request to sign out. */
  logout: LogoutRequest;
  session: Session & { readonly hash: string };
  account: KnownAccount;
  /** The access token that the request carries, when it counts. */
  access: LiveAccess;
  /** A refresh was answered once more. */
  retried: true;
  /** Why it does not. */
  refusal: Problem;
}

/** One request on its way through the steps of its endpoint. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly school: School;
  readonly ports: AuthPorts;
  readonly requestId: string;
  readonly cookies: string[] = [];
  /** What rate limits said: whatever is answered tells it. */
  readonly admissions: Admission[] = [];
  reply: Reply | undefined;
  readonly #known: Partial<Known> = {};

  constructor(request: IncomingMessage, school: School, ports: AuthPorts, requestId: string) {
    this.request = request;
    this.school = school;
    this.ports = ports;
    this.requestId = requestId;
  }

  /** Keeps what a step found out. */
  know<K extends keyof Known>(name: K, value: Known[K]): void {
    this.#known[name] = value;
  }

  /** What an earlier step found out. Throws when none did: the matrix is then in the wrong order. */
  the<K extends keyof Known>(name: K): Known[K] {
    const value = this.#known[name];
    if (value === undefined) throw new Error(`no step before has found out the ${name}`);
    return value as Known[K];
  }

  /** The sentences in the language of whoever reads the answer. */
  get texts(): Texts {
    const asked = this.#known.parameters?.get('ui_locales');
    return textsFor({ asked, accepted: this.request.headers['accept-language'], school: this.school.locale });
  }

  /** What an earlier step may have found out. */
  maybe<K extends keyof Known>(name: K): Known[K] | undefined {
    return this.#known[name];
  }
}

/** One check or one action. It throws to refuse; a step that sets the reply ends the exchange. */
export type Step = (exchange: Exchange) => void | Promise<void>;
