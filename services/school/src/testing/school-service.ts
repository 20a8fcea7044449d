import { trustState } from '@lyceum/oauth';
import { type Arrival, type ModulePorts, type Started, followFacts } from '@lyceum/service';
import { type Engines, type Got, type ServiceUnderTest, enginesOf, serviceUnderTest } from '@lyceum/testkit-service';
import { school } from '../module.ts';

export type { Engines } from '@lyceum/testkit-service';

/** The school service as one process runs it, over memory. */
export interface Schools {
  readonly started: Started;
  readonly ports: ModulePorts;
  /** Another service publishes an integration event. */
  readonly publish: ServiceUnderTest['publish'];
  /** Facts that other services have heard. */
  heard(): Promise<readonly Arrival[]>;
  /** Calls an operator operation. */
  operate(method: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Got>;
  /** Reads the school of this id as a visitor, or with a token. */
  visit(id: string, token?: string): Promise<Got>;
  /** Calls an operation of a school's API, or one under `/internal` as the operator. */
  call(method: string, path: string, sent: Sent): Promise<Got>;
  close(): Promise<void>;
}

/** What a test sends beside method and path. */
export interface Sent {
  readonly school: string;
  /** None = a visitor. */
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** New engines. */
export const engines = (): Engines => enginesOf(school);

/** Starts the service on engines; `trust` is fed by its own facts, and may be fed by a test beside. */
export async function startSchools(
  on: Engines = engines(),
  trust = trustState(on.clock),
  more: Partial<ModulePorts> = {},
): Promise<Schools> {
  const settings = { PLATFORM_DOMAINS: ['lyceum.app'] };
  const service = await serviceUnderTest(school, { engines: on, trust, settings, schools: {}, ports: more });
  const { started, ports } = service;
  const arrivals: Arrival[] = [];
  const feed = followFacts(ports, 'school', 'test', (arrival) => {
    arrivals.push(arrival);
    trust.apply(arrival);
  });
  const call: Schools['call'] = async (method, path, sent) => {
    await feed.caughtUp();
    return service.call(method, path, { as: 'anonymous', ...sent });
  };
  return {
    started,
    ports,
    publish: service.publish,
    heard: async () => (await feed.caughtUp(), arrivals),
    operate: (method, body, headers) => service.call(method, '/internal/schools', { body, headers }),
    visit: (id, token) => call('GET', '/api/school', { school: id, token }),
    call,
    async close() {
      await feed.close();
      await service.close();
    },
  };
}
