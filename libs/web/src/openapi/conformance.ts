import { isErrorCode, scopes } from '@lyceum/contracts';
import type { z } from 'zod';
import { brokenExamples } from './examples.ts';
import { describe } from './openapi.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * Checks declarations as a whole; throws one error that names every fault. For tests: each service calls it with all of
 * its operations.
 */
export function checkOperations(operations: readonly Operation[]): void {
  const faults = [
    ...operations.flatMap((operation) => faultsOf(operation).map((fault) => `${operation.id}: ${fault}`)),
    ...repeated(operations.map(({ id }) => id)).map((id) => `the id ${id} is used twice`),
    ...repeated(operations.map(routeOf)).map((route) => `the route ${route} is used twice`),
  ];
  if (faults.length > 0) throw new Error(`operations at fault:\n${faults.join('\n')}`);
  describe('conformance', operations);
}

const routeOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
];

const faultsOf = (operation: Operation): readonly string[] => [
  ...documentationFaults(operation),
  ...accessFaults(operation),
  ...shapeFaults(operation),
  ...exampleFaults(operation),
];

/** The faults whose condition holds. */
const when = (...rules: readonly (readonly [boolean, string])[]): readonly string[] =>
  rules.filter(([holds]) => holds).map(([, fault]) => fault);

function documentationFaults({ id, area, summary, description, errors = [] }: Operation): readonly string[] {
  const unknown = errors.filter((code) => !isErrorCode(code));
  return [
    ...when(
      [!/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(id), 'the id is not a camelCase verb and noun'],
      [!/^[a-z_]+$/.test(area), 'it has no area'],
      [summary.trim().length < 5 || summary.length > 80, 'its summary is not 5 to 80 characters long'],
      [description?.trim() === '', 'its description is empty'],
      [new Set(errors).size !== errors.length, 'it lists an error code twice'],
    ),
    ...unknown.map((code) => `its error code ${code} is not in the error table`),
  ];
}

function accessFaults({ scope, anyScope, anonymous, method, path }: Operation): readonly string[] {
  const operator = path.startsWith('/internal/') || path === '/metrics';
  const needed = anyScope ?? (scope === undefined ? [] : [scope]);
  return when(
    [needed.length === 0 && !anonymous && !operator, 'it is neither scoped nor open to everyone'],
    [scope !== undefined && anyScope !== undefined, 'it needs one scope, and any of several'],
    ...needed.flatMap((each): [boolean, string][] => [
      [!Object.hasOwn(scopes, each), `its scope ${each} is not in the scope table`],
      [method !== 'GET' && each.endsWith(':read'), 'it writes with a scope for reading'],
      [method === 'GET' && each.endsWith(':write'), 'it reads with a scope for writing'],
    ]),
  );
}

function shapeFaults(operation: Operation): readonly string[] {
  const { method, path, params, query, body, reply, status, ifMatch, takes, gives } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []).sort();
  const declared = Object.keys(params?.shape ?? {}).sort();
  const badSegment = !/^(?:\/(?:[a-z0-9_.-]+|\{[a-z][a-z0-9_]*\}))+$/.test(path);
  return when(
    [badSegment, 'its path is not made of snake_case segments'],
    [named.join() !== declared.join(), 'its params are not those of its path'],
    [
      Object.keys(query?.shape ?? {}).some((name) => !/^[a-z][a-z0-9_]*(\[\w+\])?$/.test(name)),
      'a query name is not snake_case',
    ],
    [method === 'GET' && body !== undefined, 'it reads with a body'],
    [method === 'GET' && ifMatch !== undefined, 'it reads with If-Match'],
    [method === 'PUT' && ifMatch !== 'required', 'it replaces without requiring If-Match'],
    [status < 200 || status > 299, 'its status is not a success'],
    [
      (status === 204) !== (reply === undefined && gives === undefined),
      'it answers 204 exactly when it has no reply schema',
    ],
    [
      (operation.expands !== undefined) !== Object.hasOwn(query?.shape ?? {}, 'expand'),
      'it expands exactly when its query has expand',
    ],
    [reply !== undefined && gives !== undefined, 'it answers with a schema and with a media type of its own'],
    [operation.alsoGives !== undefined && reply === undefined, 'it gives another media type beside no schema'],
    [takes !== undefined && method === 'GET', 'it reads with a body'],
  );
}

function exampleFaults({ params, query, body, reply }: Operation): readonly string[] {
  const parts: Record<string, z.ZodType | undefined> = { params, query, body, reply };
  return Object.entries(parts).flatMap(([name, schema]) =>
    schema ? brokenExamples(schema).map((path) => `the example at ${name}${path} does not fit its schema`) : [],
  );
}
