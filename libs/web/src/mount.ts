import { Router } from '@koa/router';
import { schoolHeader, schoolOriginHeader, tokenPathHeader } from '@lyceum/contracts';
import { type Trust, type Verifier, verifier } from '@lyceum/oauth';
import Koa, { type Context } from 'koa';
import { type Logger, silentLogger } from './access-log.ts';
import { type AskedSchool, admit } from './access.ts';
import { answer, nextCursorOf } from './answer.ts';
import { type Reading, receive } from './call.ts';
import { consistently } from './consistency.ts';
import { alone } from './idempotency.ts';
import type { Operation, Ports } from './operation.ts';
import { cursorCodec } from './paging.ts';
import { type Prepared, prepare } from './prepared.ts';
import { Problem } from './problem.ts';
import { problemFrom } from './problem-body.ts';
import { defaultBodyLimit } from './request-body.ts';
import { shell } from './shell.ts';

/** What a service mounts. */
export interface MountOptions {
  /** Name of the service, for the log. */
  readonly service: string;
  readonly operations: readonly Operation[];
  readonly ports: Ports;
  readonly trust: Trust;
  readonly logger?: Logger;
  /** Signs list cursors; the same in every replica. Needed when an operation lists. */
  readonly cursorSecret?: string | Uint8Array;
  /** Largest request body, bytes; 256 KiB by default. */
  readonly bodyLimit?: number;
}

/**
 * Serves operations over HTTP. Per request, in this order: request id, school (`x-school-id`, set by the gateway), route,
 * token, scope, role, params, query, body, If-Match, Idempotency-Key, handler, reply filter. Everything that does not
 * depend on the request is worked out here, once. Throws when an operation lists and there is no `cursorSecret`.
 */
export function mount(options: MountOptions): Koa {
  const { service, operations, ports, trust, logger = silentLogger, cursorSecret } = options;
  const cursors = cursorSecret === undefined ? undefined : cursorCodec(cursorSecret);
  const reading: Reading = { service, ports, cursors, bodyLimit: options.bodyLimit ?? defaultBodyLimit };
  const verify = verifier({ trust, clock: ports.clock });
  const router = new Router({ sensitive: true, strict: true });

  for (const operation of [...operations].sort(literalFirst)) {
    const prepared = prepare(operation);
    if (prepared.lists && !cursors) throw new Error(`${operation.id} lists, so mount needs a cursorSecret`);
    router.register(routePath(operation.path), [operation.method], (context) =>
      serve(context as unknown as Context, prepared, verify, reading),
    );
  }

  const app = new Koa();
  app.silent = true;
  app.use(shell({ service, logger, ids: ports.ids, clock: ports.clock }));
  app.use(knownSchool(trust));
  app.use(router.routes() as unknown as Koa.Middleware);
  app.use((context) => unrouted(context, router));
  return app;
}

async function serve(context: Context, prepared: Prepared, verify: Verifier, reading: Reading): Promise<void> {
  const { operation } = prepared;
  const school = context.state['trusted'] as AskedSchool;
  context.state['route'] = operation.path;
  const path = context.get(tokenPathHeader) || context.path;
  const access = await admit(context.req, path, operation, school, verify);
  context.state['client'] = access.principal?.client;
  const { call, keyed, bound } = await receive(context, prepared, access, reading);
  try {
    const run = () => consistently(context, operation, call, reading, () => operation.handle(call, reading.ports));
    const reply = keyed
      ? await alone(reading.ports.ephemeral, school.id, call.commit.commitId, call.requestId, run)
      : await run();
    answer(context, prepared, reply, call, nextCursorOf(reply, reading.cursors, bound));
  } catch (error) {
    throw problemFrom(error, call.expected !== undefined);
  }
}

/** A request without a school of ours is for nobody. */
const knownSchool =
  (trust: Trust): Koa.Middleware =>
  (context, next) => {
    const trusted = trust.school(context.get(schoolHeader));
    if (!trusted) throw new Problem('not_found', 'There is no school at this address');
    context.state['school'] = trusted.id;
    const origin = context.get(schoolOriginHeader);
    context.state['trusted'] = trusted.origins?.includes(origin) ? { ...trusted, origin } : trusted;
    return next();
  };

/** The path is unknown, or known with other methods only. */
function unrouted(context: Context, router: Router): void {
  const methods = new Set(router.match(context.path, context.method).path.flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new Problem('not_found');
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (context.method !== 'OPTIONS') throw new Problem('method_not_allowed', undefined, { headers: { Allow: allow } });
  context.set('Allow', allow);
  context.status = 204;
}

/** `/api/courses/{course}` as the router writes it. */
const routePath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ':$1');

/** A literal segment wins over a parameter at the same place, whatever the order of declaration. */
function literalFirst(a: Operation, b: Operation): number {
  const [left, right] = [a.path.replaceAll('{', '~'), b.path.replaceAll('{', '~')];
  return left < right ? -1 : left > right ? 1 : 0;
}
