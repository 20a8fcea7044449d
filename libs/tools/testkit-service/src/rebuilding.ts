import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Collection, type Found, type LiveDocuments, liveDocuments } from '@lyceum/documents';
import type { Module } from '@lyceum/service';
import fc from 'fast-check';
import type { ServiceUnderTest } from './service-under-test.ts';

/** A service that runs, as far as its read models are looked at. */
type Running = Pick<ServiceUnderTest, 'started' | 'settled' | 'close'> & {
  readonly ports: Pick<ServiceUnderTest['ports'], 'documents' | 'log'>;
};

/** What random histories of a service are made of. */
export interface Histories<Step, Service extends Running> {
  readonly module: Pick<Module, 'projected'>;
  start(): Promise<Service>;
  readonly step: fc.Arbitrary<Step>;
  /** Does one thing; what is refused changes nothing. */
  perform(service: Service, step: Step): Promise<unknown>;
  /** Whose documents are compared. */
  tenants(service: Service): readonly string[];
  /** One that leads to whatever read models keep: it is always the first of the histories. */
  readonly example: readonly Step[];
}

/** How many histories. */
const runs = 8;

/** The documents of one read model, by tenant and id. */
type Documents = Readonly<Record<string, Found['body']>>;

/** The documents of all read models of a service, by the name of each. */
type ReadModels = Readonly<Record<string, Documents>>;

/**
 * Compares, after each of some random histories, what every read model of a service says with what it says when it is built
 * anew from the logs. Throws at the first difference. Gives what they said after the example, so that a test can expect
 * that it led to something: what random histories lead to differs from run to run.
 */
export async function expectRebuiltAlike<Step, Service extends Running>(
  histories: Histories<Step, Service>,
): Promise<ReadModels> {
  const { start, step, perform, tenants, example } = histories;
  let first: ReadModels | undefined;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const service = await start();
      try {
        for (const each of steps) {
          await service.settled();
          await perform(service, each);
        }
        const models = await rebuiltAlike(service, histories.module, tenants(service));
        first ??= models;
      } finally {
        await service.close();
      }
    }),
    { numRuns: runs, examples: [[[...example]]] },
  );
  assert(first);
  return first;
}

/** How often it is tried again because the service went on by itself meanwhile. */
const tries = 50;

async function rebuiltAlike(
  service: Running,
  { projected = [] }: Pick<Module, 'projected'>,
  tenants: readonly string[],
): Promise<ReadModels> {
  const { documents, log } = service.ports;
  const collections = projected
    .flatMap(({ projections = [], follows = [] }) => [...projections, ...follows.map(({ projection }) => projection)])
    .map(({ collection }) => collection);
  const read = async () => {
    await service.settled();
    // One that remembers no builds of before.
    return readModelsOf(await liveDocuments(documents), collections, tenants);
  };
  const heads = () => Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  for (let left = tries; left > 0; left -= 1) {
    const before = await heads();
    const followed = await read();
    const { readModels = [] } = service.started;
    assert.deepEqual(readModels.map(({ name }) => name).sort(), collections.map(({ name }) => name).sort());
    for (const model of readModels) await model.rebuild();
    const rebuilt = await read();
    for (const model of readModels) assert.deepEqual(await model.parked(), [], `${model.name} parked a stream`);
    for (const { name } of collections)
      assert.notEqual(rebuilt.builds[name], followed.builds[name], `${name} was not built anew`);
    if (`${await heads()}` === `${before}`) {
      assert.deepEqual(rebuilt.models, followed.models);
      return followed.models;
    }
    await delay(20);
  }
  throw new Error('the service does not come to rest');
}

/** What the read models say, and the build of each that says it. */
async function readModelsOf(live: LiveDocuments, collections: readonly Collection[], tenants: readonly string[]) {
  const models: Record<string, Documents> = {};
  const builds: Record<string, string> = {};
  for (const collection of collections) {
    builds[collection.name] = (await live.live(collection)).name;
    const found: Record<string, Found['body']> = {};
    for (const tenant of tenants)
      for (const { id, body } of await allOf(live, collection, tenant)) found[`${tenant}/${id}`] = body;
    models[collection.name] = found;
  }
  return { models, builds };
}

async function allOf(live: LiveDocuments, collection: Collection, tenant: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let more = true; more;) {
    const last = found.at(-1);
    const after = last ? { after: { value: null, id: last.id } } : {};
    const page = await live.query(collection, tenant, { limit: 200, ...after });
    found.push(...page.items);
    more = page.more;
  }
  return found;
}
