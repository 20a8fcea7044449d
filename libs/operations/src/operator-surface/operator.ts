import { schoolHeader } from '@lyceum/contracts';
import { isSecret } from '@lyceum/kernel';
import type { Trust } from '@lyceum/oauth';
import { type Operation, type Ports, alignHeaders, answerError, mount } from '@lyceum/web';
import type { Logger } from 'pino';
import type { Handler } from '@lyceum/internal-api';
import { describing } from './describing.ts';

/** The reserved tenant in whose name operators act. */
const platform = '_platform';

/** The operator operations of one service. */
export interface OperatorSurface {
  readonly service: string;
  readonly operations: readonly Operation[];
  readonly ports: Ports;
}

/** What the operator listener needs. */
export interface OperatorOptions {
  readonly token: string;
  readonly surfaces: readonly OperatorSurface[];
  readonly cursorSecret: string;
  readonly logger: Logger;
  readonly requestId: () => string;
}

/** Operators act in the name of the platform; no school's keys are of use here. */
const trust: Trust = {
  school: (id) => (id === platform ? { id, issuer: 'urn:lyceum:operator' } : undefined),
  key: () => undefined,
  denied: () => false,
  role: () => undefined,
};

/** The operator has the full view of everything: the listener knows one token, not persons. */
const asOperator = (operation: Operation, ports: Ports): Operation => ({
  ...operation,
  anonymous: true,
  handle: (call) => operation.handle({ ...call, view: 'staff', meta: { ...call.meta, actor: 'operator' } }, ports),
});

/**
 * The operator operations of all services, and their description at `/internal/openapi.json`, behind one bearer token,
 * compared in constant time.
 * @see RFC 6750 §2.1
 */
export function operatorApp({ token, surfaces, cursorSecret, logger, requestId }: OperatorOptions): Handler {
  const isToken = isSecret(token);
  const [first] = surfaces;
  const described = describing(surfaces.flatMap(({ operations }) => operations));
  const operations = surfaces.flatMap((each) => each.operations.map((operation) => asOperator(operation, each.ports)));
  const app =
    first &&
    mount({
      service: 'operator',
      operations: [...operations, asOperator(described, first.ports)],
      // What an operation works with is its own service's; clock, ids and the short-lived store are everybody's.
      ports: first.ports,
      trust,
      logger,
      cursorSecret,
    }).callback();
  return (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ', 2);
    if (scheme?.toLowerCase() !== 'bearer' || !isToken(given)) {
      const description = 'The operator token is missing or wrong';
      return answerError(response, 'invalid_token', requestId(), {
        description,
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    if (!app) return answerError(response, 'not_found', requestId());
    delete request.headers.authorization;
    request.headers[schoolHeader] = platform;
    alignHeaders(request);
    return app(request, response);
  };
}
