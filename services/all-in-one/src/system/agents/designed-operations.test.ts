import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { oidcScopes, scopeNames, scopes } from '@lyceum/contracts';
import { type Place, call, describeTopologies } from '@lyceum/testkit';
import { designedOperations } from '../../testing/agents/designed-operations.ts';

/** What an operation of the document needs: scopes of which any will do, and whether nobody needs one. */
interface Needed {
  readonly scopes: readonly string[];
  readonly isOpen: boolean;
}

type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** The OpenAPI document of a school has what the design of the domain names, behind the scopes that it names. */
await describeTopologies(
  'the description of the API',
  ({ open }) => {
    let system: Place;
    let close: () => Promise<unknown>;
    /** By method and path without the names of parameters. */
    let documented: ReadonlyMap<string, Needed>;

    beforeAll(async () => {
      ({ system, close } = await open());
      const { paths } = (await call(`${system.baseUrl}/openapi.json`)).body as {
        paths: Record<string, Record<string, { operationId?: string; security?: Security }>>;
      };
      documented = new Map(
        Object.entries(paths).flatMap(([path, operations]) =>
          Object.entries(operations)
            .filter(([, { operationId }]) => operationId !== undefined)
            .map(([method, { security = [] }]) => {
              const named = [...new Set(security.flatMap((way) => Object.values(way).flat()))];
              const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
              return [`${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`, { scopes: named, isOpen }];
            }),
        ),
      );
    }, 400_000);
    afterAll(() => close());

    test('the design has all areas of the access specification', () =>
      expect(Object.keys(designedOperations).toSorted()).toEqual(
        [...new Set(Object.values(scopes).map(({ area }) => area))].toSorted(),
      ));

    test.each(Object.entries(designedOperations))('has every operation of %s behind its scope', (area, lines) => {
      const found = lines.map((line) => {
        const [method = '', path = '', ...stated] = line.split(' ');
        const needed = documented.get(`${method} /api${path}`) ?? documented.get(`${method} ${path}`);
        if (!needed) return `${line}: is missing`;
        const meant = stated.length > 0 ? stated : [`${area}:${method === 'GET' ? 'read' : 'write'}`];
        if (meant[0] === 'open') return needed.isOpen ? line : `${line}: is not open`;
        return needed.scopes.join() === meant.join() ? line : `${line}: needs ${needed.scopes.join()}`;
      });
      expect(found).toEqual(lines);
    });

    test('each scope opens an operation; of those of OpenID Connect, what UserInfo tells', () => {
      const used = new Set([...documented.values()].flatMap(({ scopes: named }) => named));
      expect(scopeNames.filter((scope) => !used.has(scope))).toEqual(oidcScopes.filter((scope) => scope !== 'openid'));
    });

    test('nobody writes without a scope, but those who buy, register, send a form or a file', () => {
      const open_ = [...documented]
        .filter(([operation, { isOpen }]) => isOpen && /^(?:POST|PUT|PATCH|DELETE) \/api\/(?!oauth\/)/.test(operation))
        .map(([operation]) => operation);
      expect(open_.toSorted()).toEqual([
        'POST /api/checkout',
        'POST /api/checkout/quotes',
        'POST /api/checkout/{}/payments',
        'POST /api/events/{}/registrations',
        'POST /api/forms/{}/submissions',
      ]);
    });
  },
  'one',
);
