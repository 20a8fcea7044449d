import type { Endpoint } from './endpoint.ts';

const parameter = /:\w+$/;

/** Finds the endpoint of a request's URL: by its exact path, else by the path before its last segment, which is a parameter. */
export function pathTable(endpoints: readonly Endpoint[]): (url: string) => Endpoint | undefined {
  const [exact, before] = [new Map<string, Endpoint>(), new Map<string, Endpoint>()];
  for (const endpoint of endpoints)
    if (parameter.test(endpoint.path)) before.set(endpoint.path.replace(parameter, ''), endpoint);
    else exact.set(endpoint.path, endpoint);
  return (url) => {
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const last = path.lastIndexOf('/') + 1;
    return exact.get(path) ?? (last < path.length ? before.get(path.slice(0, last)) : undefined);
  };
}
