import { describe, expect, test } from '@jest/globals';
import { type Given, assumptions } from './assumptions.ts';
import { loadOf } from './load.ts';
import { moneyOf } from './money.ts';
import { planOf } from './plan.ts';
import { cellsOf, engineNeeds, processNeeds, redisMemory, roleNeed } from './processors.ts';
import { partsOf, storageOf } from './storage.ts';
import { type UnitCosts, knownCosts, unitCosts } from './unit-costs.ts';

const defaults = Object.fromEntries(Object.entries(assumptions).map(([name, { value }]) => [name, value]));
const given = (changes: Partial<Given> = {}): Given =>
  ({ ...defaults, schools: 1_000, learners: 1_440_000, ...changes }) as Given;
const costs = (changes: Partial<UnitCosts> = {}): UnitCosts => ({ ...knownCosts, ...changes });
const free = Object.fromEntries(Object.keys(knownCosts).map((name) => [name, 0])) as UnitCosts;
const close = (expected: number): unknown => expect.closeTo(expected, 6);

describe('the load', () => {
  // 1,440,000 learners, of whom a tenth is there for an hour: 6,000 at once, and 12,000 at the peak.
  const assumed = given({ active: 0.1, minutes: 60, peak: 2, sessionMinutes: 10, requestsPerSession: 30 });
  const load = loadOf(assumed, costs({ eventsPerWrite: 2 }));

  test('has as many sessions at once as people are there, times the peak', () =>
    expect(load.sessions).toEqual(close(12_000)));
  test('has the requests of a session over its length', () => expect(load.requests).toEqual(close(12_000 * 0.05)));
  test('has requests of a day that know no peak', () => expect(load.requestsPerDay).toEqual(close(144_000 * 6 * 30)));
  test('writes with its share, and reads with the others', () =>
    expect(loadOf({ ...assumed, writes: 0.25 }, knownCosts)).toMatchObject({ writes: close(150), reads: close(450) }));
  test('has the events of its writes, at the peak and in a day', () =>
    expect(load).toMatchObject({ events: close(600 * 0.05 * 2), eventsPerDay: close(144_000 * 180 * 0.05 * 2) }));
  test('has passwords for the sessions that begin with one', () =>
    expect(loadOf({ ...assumed, signIns: 0.5 }, knownCosts).signIns).toEqual(close(10)));
  test('refreshes once in the lifetime of an access token', () =>
    expect(loadOf({ ...assumed, accessTokenMinutes: 5 }, knownCosts).refreshes).toEqual(close(40)));
  test('has its share of calls of agents', () =>
    expect(loadOf({ ...assumed, mcp: 0.1 }, knownCosts).mcpCalls).toEqual(close(60)));
});

describe('processes', () => {
  const load = loadOf(given(), knownCosts);
  const busy = (changes: Partial<UnitCosts>, role: string): number =>
    processNeeds(given(), load, { ...free, ...changes }).find((need) => need.role === role)!.busy;

  test('are two of each kind in each cell at least', () =>
    expect(roleNeed('idle', 0, 512, 3, given({ schools: 10_000, schoolsPerCell: 5_000 }))).toMatchObject({
      processes: 12,
      cores: 3,
      memory: 6,
    }));
  test('are one for each core that is needed, with room for failures', () =>
    expect(roleNeed('busy', 30, 1_024, 1, given({ coreShare: 0.5 }))).toEqual({
      role: 'busy',
      busy: 30,
      cores: 60,
      processes: 60,
      memory: 60,
    }));

  test.each([
    ['gateway', { gateway: 100 }, load.requests * 1e-4],
    ['gateway', { mcp: 100 }, load.mcpCalls * 1e-4],
    ['services, http', { read: 100 }, load.requests * 1e-4],
    ['services, http', { append: 100 }, load.writes * 1e-4],
    ['auth, http', { refresh: 100 }, load.refreshes * 1e-4],
    ['auth, http', { password: 100 }, load.signIns * 1e-4],
    ['auth, http', { exchange: 100 }, load.signIns * 1e-4],
    ['consumers', { projection: 100 }, load.events * assumptions.readModels.value * 1e-4],
    ['consumers', { consume: 100 }, load.events * assumptions.publishedShare.value * 1e-4],
    ['relays', { relay: 100 }, load.events * assumptions.publishedShare.value * 1e-4],
  ] as const)('%s are busy with %j', (role, changes, expected) => expect(busy(changes, role)).toEqual(close(expected)));
});

describe('engines', () => {
  const load = {
    ...loadOf(given(), knownCosts),
    events: 1_000,
    reads: 5_000,
    requests: 6_000,
    signIns: 10,
    sessions: 1e6,
  };
  const need = (role: string, changes: Partial<UnitCosts>, assumed = given()) =>
    engineNeeds(assumed, load, { ...free, ...changes }, { database: 1e12 }).find((each) => each.role === role)!;

  test('write each event and its read models in every copy, and read in one', () =>
    expect(need('MongoDB', { databaseOperation: 100 }, given({ copies: 3, readModels: 3 })).busy).toEqual(
      close((1_000 * 4 * 3 + 5_000) * 1e-4),
    ));
  test('are as many nodes of a cell as there are copies, of two cores', () =>
    expect(need('MongoDB', {}, given({ schools: 20_000, schoolsPerCell: 10_000 }))).toMatchObject({
      processes: 6,
      cores: 12,
    }));
  test('keep a share of what is stored in memory', () =>
    expect(need('MongoDB', { databaseCache: 0.1 }).memory).toEqual(close(100)));
  test('take each published record at every copy', () =>
    expect(need('Kafka', { brokerRecord: 100 }, given({ publishedShare: 0.5, copies: 3 })).busy).toEqual(close(0.15)));
  test('count each request in Redis, and a code twice', () =>
    expect(need('Redis', { redisOperation: 100 }).busy).toEqual(close(0.602)));
  test('keep codes a minute, and two counters of each session, twice', () =>
    expect(redisMemory(given(), load, { ...free, codeBytes: 1_000, counterBytes: 100 })).toEqual(
      close((2 * (600_000 + 2e8)) / 1e9 + 2),
    ));
});

describe('storage', () => {
  const assumed = given({ copies: 3, diskShare: 0.5, databaseFactor: 0.5 });
  const load = { ...loadOf(assumed, knownCosts), eventsPerDay: 1e6, requestsPerDay: 1e6 };
  const kept = (3 / 0.5) * 0.5;

  test('keeps events for their days, in copies, with room on the disk', () =>
    expect(storageOf({ ...assumed, eventDays: 10 }, load, costs({ eventBytes: 300 })).events).toEqual(
      close(3e9 * kept),
    ));
  test.each([
    ['memberBytes', 1_440_000 * assumptions.membershipsPerLearner.value],
    ['enrollmentBytes', 1_440_000 * assumptions.enrollmentsPerLearner.value],
    ['orderBytes', 1_440_000 * assumptions.ordersPerLearner.value],
    ['courseBytes', 1_000 * assumptions.coursesPerSchool.value],
  ])('keeps read models: %s of %d', (name, documents) =>
    expect(storageOf(assumed, load, { ...free, [name]: 100 }).readModels).toEqual(close(documents * 100 * kept)),
  );
  test('keeps topics for their retention, as they are', () =>
    expect(
      storageOf({ ...assumed, kafkaDays: 7, publishedShare: 0.5 }, load, costs({ recordBytes: 700 })).kafka,
    ).toEqual(close(1e6 * 0.5 * 7 * 700 * (3 / 0.5))));
  test('keeps the files of schools once: a store of objects has its own copies', () =>
    expect(storageOf({ ...assumed, filesPerSchool: 2 }, load, knownCosts).files).toBe(2e12));
  test('sends an answer for each request of a month', () =>
    expect(storageOf({ ...assumed, answerBytes: 1_000 }, load, knownCosts).traffic).toBe(30e9));
});

describe('parts', () => {
  const load = { ...loadOf(given(), knownCosts), events: 10_000 };

  test('are cells of so many schools, one at least', () => {
    expect(cellsOf(given({ schools: 6_251, schoolsPerCell: 6_250 }))).toBe(2);
    expect(cellsOf(given({ schools: 1 }))).toBe(1);
  });
  test('are 16 lanes where that is enough, and a partition of each log for each lane', () =>
    expect(partsOf(given(), { ...load, events: 1 }, knownCosts, 9)).toEqual({
      cells: 1,
      lanes: 16,
      partitions: 144,
      partitionsPerBroker: 144,
    }));
  test('are as many lanes as the events of the busiest service need, in powers of two', () =>
    expect(partsOf(given({ busyService: 0.5, coreShare: 0.5 }), load, costs({ laneRate: 400 }), 9).lanes).toBe(32));
  test('are refused where a log would need more lanes than it may have', () =>
    expect(() => partsOf(given({ busyService: 1 }), load, costs({ laneRate: 10 }), 9)).toThrow(
      'have fewer schools in a cell',
    ));
});

test('money is what each core, gigabyte of memory, disk, file and traffic costs', () => {
  const prices = { core: 20, memoryGb: 3, diskGb: 0.1, fileGb: 0.02, trafficGb: 0.05 };
  const need = { role: 'any', busy: 1, cores: 10, processes: 5, memory: 100 };
  const stored = { events: 0, readModels: 0, database: 1e12, kafka: 1e12, files: 1e12, traffic: 1e12 };
  expect(moneyOf(given({ schools: 100, learners: 1_000 }), prices, [need, need], [need], stored)).toEqual({
    lyceum: 1_000,
    engines: 500,
    disks: 200,
    files: 20,
    traffic: 50,
    total: 1_770,
    perSchool: 17.7,
    perLearner: 1.77,
  });
});

describe('the paper that this follows (100,000 schools, 50 million learners)', () => {
  const asked = {
    given: given({ schools: 100_000, learners: 5e7 }),
    costs: knownCosts,
    prices: { core: 25, memoryGb: 3.5, diskGb: 0.1, fileGb: 0.023, trafficGb: 0.05 },
    changed: new Set<string>(),
    isJson: false,
    isMeasuring: false,
  };
  const plan = planOf(asked);

  test('has a million sessions, 50,000 requests a second, 16 cells, and so has this', () =>
    expect(plan).toMatchObject({ load: { sessions: close(1e6), requests: close(50_000) }, parts: { cells: 16 } }));

  test('costs 26,000 to 30,000 a month, and this as much within a half', () => {
    expect(plan.money.total).toBeGreaterThan(26_000 / 1.5);
    expect(plan.money.total).toBeLessThan(30_000 * 1.5);
  });

  test('has costs that say where they are from', () => {
    for (const cost of Object.values(unitCosts)) {
      expect(cost.value).toBeGreaterThan(0);
      if ('command' in cost)
        expect([cost.command, cost.at]).toEqual([expect.stringMatching(/^npm run /), expect.stringMatching(/^\d{4}-/)]);
    }
  });
});
