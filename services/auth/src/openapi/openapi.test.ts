import { describe, expect, test } from '@jest/globals';
import { errors } from '@lyceum/contracts';
import { methodsOf } from '../http/exchange/endpoint.ts';
import { endpoints } from '../matrix.ts';
import { openapi, operationTexts } from './openapi.ts';

type Operation = {
  operationId: string;
  description?: string;
  responses: Record<string, { description: string; content?: object }>;
  requestBody?: unknown;
};
const paths = openapi['paths'] as Record<string, Record<string, Operation>>;
const described = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
);

describe('the OpenAPI document of the authorization server', () => {
  test('describes every route, and no other', () => {
    const served = endpoints.flatMap(({ path, ...endpoint }) =>
      methodsOf(endpoint).map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });

  test('names every operation once', () => {
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says of every operation what it is for, and of nothing else', () => {
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    for (const { operationId, description } of operations)
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/^[A-Z].{20}/)]);
    const ids = operations.map(({ operationId }) => operationId);
    for (const id of Object.keys(operationTexts)) expect(ids).toContain(id);
  });

  test('tells programs that write that nobody may know whether it was done', () => {
    const told = (path: string, method: string) => paths[path]![method]!.responses[503]!.description;
    for (const [path, method] of [
      ['/api/oauth/register', 'post'],
      ['/api/oauth/register/{client}', 'put'],
      ['/api/oauth/register/{client}', 'delete'],
      ['/api/oauth/token', 'post'],
      ['/api/oauth/revoke', 'post'],
    ] as const)
      expect(told(path, method)).toContain('outcome_unknown');
    expect(told('/api/oauth/introspect', 'post')).not.toContain('outcome_unknown');
  });

  test('points at nothing that is not there', () => {
    const { schemas } = openapi['components'] as { schemas: object };
    const names = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(schemas).toHaveProperty(name);
  });

  test('tells only errors of the error table, under their status', () => {
    const told = [...JSON.stringify(openapi).matchAll(/"(\d{3})":\{"description":"([a-z_, ]+ or )?([a-z_, ]+)[:"]/g)];
    const wrong = told.flatMap(([, status, first = '', rest = '']) =>
      `${first}, ${rest}`
        .split(/, | or /)
        .map((code) => code.trim())
        .filter((code) => code.includes('_'))
        .filter((code) => errors[code as keyof typeof errors]?.status !== Number(status))
        .map((code) => `${status} ${code}`),
    );
    expect(told.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });
});
