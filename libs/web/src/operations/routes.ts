import { Router } from '@koa/router';
import type { Operation } from './operation.ts';
import type { Prepared } from './prepared.ts';

/** An operation that a path leads to, with the parameters in the path. */
export interface Found {
  readonly prepared: Prepared;
  readonly params: Readonly<Record<string, string>>;
}

/** A path as the router compiles it. */
type Layer = Router['stack'][number];

interface Route {
  readonly layer: Layer;
  readonly prepared: Prepared;
}

/**
 * Which operation a request is for. The router compiles the templates; a path is tried on those of its own length only,
 * up to the first that fits, since nothing else runs on the way to an operation.
 */
export class Routes {
  readonly #byLength = new Map<number, Route[]>();

  constructor(all: readonly Prepared[]) {
    const router = new Router({ sensitive: true, strict: true });
    for (const prepared of all.toSorted((a, b) => literalFirst(a.operation, b.operation))) {
      const { path, method } = prepared.operation;
      router.register(routePath(path), [method], unused);
      const route = { layer: router.stack.at(-1)!, prepared };
      const length = segmentsOf(path);
      this.#byLength.set(length, [...(this.#byLength.get(length) ?? []), route]);
    }
  }

  /** The operation for a request, for HEAD that of GET; undefined when there is none. */
  find(method: string, path: string): Found | undefined {
    for (const { layer, prepared } of this.#of(path))
      if (layer.methods.includes(method) && layer.match(path))
        return { prepared, params: layer.params(path, layer.captures(path)) };
    return undefined;
  }

  /** The methods that a path knows; none when there is no such path. */
  methodsOf(path: string): readonly string[] {
    const layers = this.#of(path).filter(({ layer }) => layer.match(path));
    return [...new Set(layers.flatMap(({ layer: { methods } }) => methods))];
  }

  #of(path: string): readonly Route[] {
    return this.#byLength.get(segmentsOf(path)) ?? none;
  }
}

const none: readonly Route[] = [];

/** The router wants to be given what it would call. */
const unused = (): undefined => undefined;

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
