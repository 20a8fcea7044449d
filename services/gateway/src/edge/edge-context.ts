import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Ids, Tracer } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import type { Upstream } from '@lyceum/internal-api';
import type { SchoolScheduler } from '@lyceum/web';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { Slowness } from './request/body-arrival.ts';
import type { Trusted } from './request/client-address.ts';
import type { InFlightLimits } from '../limits/in-flight-limits.ts';
import type { Trace } from './request/trace.ts';
import type { Judging } from './verdict.ts';

/** The ports and tables of the edge. */
export interface EdgeContext extends Judging {
  /** A service by name; throws when there is none. */
  readonly upstream: (service: string) => Pick<Upstream, 'forward'>;
  /** Whether a service is in other processes, which share themselves between schools. */
  readonly isElsewhere: (service: string) => boolean;
  readonly limits: RequestLimits;
  readonly inFlight: InFlightLimits;
  /** The turns of schools in this process. */
  readonly scheduler: SchoolScheduler;
  /** How slow a client may be to send, where it is not as usual. */
  readonly slowness?: Slowness;
  /** The proxies whose word about the client's address counts. */
  readonly trusted: Trusted;
  readonly ids: Pick<Ids, 'next'>;
  /** A new `traceparent`. */
  readonly beginTrace: () => string;
  /** Given where traces are told of. */
  readonly tracer?: Tracer | undefined;
  readonly clock: Clock;
  readonly logger: Pick<ModulePorts['logger'], 'debug' | 'info' | 'error'>;
}

/** A request and the answer to it, with the names that both have in the logs. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly trace: Trace;
}
