import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerError, answerJson } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';

/** The phase of a process. `starting` answers only health questions; `draining` still answers everything. */
type Phase = 'starting' | 'ready' | 'draining';

/** What a process answers: health questions first, for any host, then the application once it is ready. */
export interface ReadinessGate {
  readonly handle: Handler;
  /** Answers a health question; false when the request is none. */
  health(request: IncomingMessage, response: ServerResponse): boolean;
  open(application: Handler): void;
  /** Serves meanwhile, without being ready; what was served before when not given. */
  serveMeanwhile(application?: Handler): void;
  /** Readiness goes off; requests are still served. */
  drain(): void;
  readonly phase: Phase;
}

/** A gate in the phase `starting`. `requestId` names the requests that the gate refuses. */
export function readinessGate(requestId: () => string): ReadinessGate {
  let phase: Phase = 'starting';
  const starting: Handler = (_request, response) =>
    answerError(response, 'temporarily_unavailable', requestId(), {
      description: 'The service is starting',
      headers: { 'retry-after': '1' },
    });
  let application = starting;
  return {
    handle(request, response) {
      if (!health(request, response, phase)) return application(request, response);
    },
    health: (request, response) => health(request, response, phase),
    open(handler) {
      application = handler;
      phase = 'ready';
    },
    serveMeanwhile(handler = starting) {
      application = handler;
    },
    drain() {
      phase = 'draining';
    },
    get phase() {
      return phase;
    },
  };
}

function health(request: IncomingMessage, response: ServerResponse, phase: Phase): boolean {
  const path = request.url?.split('?', 1)[0];
  if (path !== '/livez' && path !== '/readyz') return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const up = path === '/livez' || phase === 'ready';
  answerJson(response, up ? 200 : 503, { status: up ? 'ok' : phase });
  return true;
}
