import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Operation } from './operation.ts';
import type { Prepared } from './prepared.ts';

/** An operation that a path leads to, with the parameters in the path. */
export interface Found {
  readonly prepared: Prepared;
  readonly params: Readonly<Record<string, string>>;
}

/** Serves a request that has come to its operation. */
type Serve = (context: Context, prepared: Prepared) => Promise<void>;

/** Which operation a request is for. A router tries its routes one by one, so there is one for each length of paths. */
export class Routes {
  readonly #routers = new Map<number, Router>();
  readonly #middlewares = new Map<number, Middleware>();
  readonly #prepared = new Map<string, Prepared>();

  constructor(all: readonly Prepared[], serve: Serve) {
    for (const prepared of all.toSorted((a, b) => literalFirst(a.operation, b.operation))) {
      const { path, method, id } = prepared.operation;
      const router = this.#routers.get(segmentsOf(path)) ?? new Router({ sensitive: true, strict: true });
      this.#routers.set(segmentsOf(path), router);
      this.#prepared.set(id, prepared);
      const middleware = (context: unknown) => serve(context as Context, prepared);
      router.register(routePath(path), [method], middleware, { name: id });
    }
    for (const [length, router] of this.#routers)
      this.#middlewares.set(length, router.routes() as unknown as Middleware);
  }

  /** Leads a request to its operation, and on when there is none. */
  readonly lead: Middleware = (context, next) => {
    const middleware = this.#middlewares.get(segmentsOf(context.path));
    return middleware ? middleware(context as never, next) : next();
  };

  /** The operation for a request; undefined when there is none. */
  find(method: Operation['method'], path: string): Found | undefined {
    const layer = this.#routers.get(segmentsOf(path))?.match(path, method).pathAndMethod[0];
    return layer && { prepared: this.#prepared.get(layer.name!)!, params: layer.params(path, layer.captures(path)) };
  }

  /** The methods that a path knows; none when there is no such path. */
  methodsOf(path: string): readonly string[] {
    const layers = this.#routers.get(segmentsOf(path))?.match(path, 'GET').path ?? [];
    return [...new Set(layers.flatMap(({ methods }) => methods))];
  }
}

function segmentsOf(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

/** `/api/courses/{course}` as the router writes it. */
const routePath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ':$1');

/** A literal segment wins over a parameter at the same place, whatever the order of declaration. */
function literalFirst(a: Operation, b: Operation): number {
  const [left, right] = [a.path.replaceAll('{', '~'), b.path.replaceAll('{', '~')];
  return left < right ? -1 : left > right ? 1 : 0;
}
