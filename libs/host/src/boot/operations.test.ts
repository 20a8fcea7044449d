import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { checkOperations } from '@lyceum/web';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Metrics,
  backupOperation,
  lookingOperations,
  mendingOperations,
  metricsOperation,
  restore,
} from '@lyceum/operations';
import { type Answer, type Operated, clear, operate, taste } from '../testing/operated.ts';

jest.setTimeout(20_000);

describe('the operator of a process', () => {
  let process: Operated;
  const folders: string[] = [];
  beforeEach(async () => {
    taste.poison = taste.work = false;
    process = await operate();
    folders.push(process.folder);
  });
  afterEach(async () => {
    await process.stop();
    for (const folder of folders.splice(0)) await clear(folder);
  });

  /** The row of the lane of a school. */
  const laneOf = (rows: readonly Answer[], school: string) =>
    rows.find((row) => row.lane === process.ports.log.laneOf(school));

  test('sees the head of every lane, what the relay has handed on, and how old what waits is', async () => {
    await process.write('school_1', 'course_1');
    await process.write('school_1', 'course_1', 'CourseRenamed');
    const body = await process.until(
      '/internal/lanes?service=catalog',
      ({ data }) => laneOf(data, 'school_1').relay.lag === 0,
    );
    expect(body.data).toHaveLength(process.ports.log.lanes);
    expect(laneOf(body.data, 'school_1')).toEqual({
      service: 'catalog',
      lane: process.ports.log.laneOf('school_1'),
      head: 2,
      incarnation: process.ports.log.epoch,
      missing: null,
      relay: { position: 2, lag: 0, waiting_since: null, lag_seconds: 0 },
    });
    expect((await process.ask('GET', '/internal/lanes?service=other')).body).toEqual({ data: [] });
  });

  test('sees that a consumer has everything, though commits without facts came after the last', async () => {
    await process.write('school_1', 'course_1');
    await process.write('school_1', 'course_1', 'CourseRenamed');
    const mine = ({ data }: Answer) =>
      laneOf(
        data.filter((row: Answer) => row.consumer === 'listener'),
        'school_1',
      );
    const body = await process.until('/internal/consumers', (each) => mine(each)?.watermark === 1);
    expect(mine(body)).toEqual({
      consumer: 'listener',
      source: 'catalog',
      lane: process.ports.log.laneOf('school_1'),
      watermark: 1,
      head: 2,
      lag: 0,
      waiting_since: null,
      lag_seconds: 0,
      duplicates: 0,
      gaps: 0,
    });
  });

  test('sees a parked stream, redrives it in vain, then with success', async () => {
    await process.write('school_1', 'course_1');
    await process.write('school_1', 'course_1', 'Poison');
    await process.write('school_1', 'course_1', 'CourseRenamed');
    await process.write('school_1', 'course_2');
    const parked = await process.until('/internal/parked', ({ data }) => data[0]?.count === 2);
    expect(parked.data).toEqual([
      expect.objectContaining({
        service: 'catalog',
        projection: 'titles@3',
        school: 'school_1',
        stream: 'course_1',
        position: 2,
        type: 'Poison',
        error: 'Error: cannot take poison',
        count: 2,
      }),
    ]);
    const { id } = parked.data[0];
    const row = (await process.ask('GET', '/internal/projections')).body.data[0];
    expect(row).toMatchObject({
      service: 'catalog',
      projection: 'titles@3',
      source: 'catalog',
      state: 'live',
      parked: 1,
    });
    expect(laneOf(row.lanes, 'school_1')).toMatchObject({ position: 4, head: 4, lag: 0, lag_seconds: 0 });
    expect((await process.ask('GET', '/metrics')).text).toContain(
      'lyceum_parked_streams{service="catalog",projection="titles@3",source="catalog"} 1',
    );
    const redrive = () => process.ask('POST', `/internal/parked/${id}/redrive`);
    expect((await redrive()).body).toMatchObject({ applied: 0, parked: { id, type: 'Poison' } });
    taste.poison = true;
    expect((await redrive()).body).toEqual({ object: 'redrive', applied: 2, parked: null });
    expect((await process.ask('GET', '/internal/parked')).body).toEqual({ data: [] });
    expect((await redrive()).status).toBe(404);
  });

  test('redrives what a filter means, some at a time, each stream once', async () => {
    const poisoned = ['course_1', 'course_2', 'course_3'];
    for (const course of poisoned) await process.write('school_1', course, 'Poison');
    await process.write('school_2', 'course_9', 'Poison');
    const left = async () => (await process.ask('GET', '/internal/parked')).body.data.length;
    await process.until('/internal/parked', ({ data }) => data.length === 4);
    const redrive = (body: object) => process.ask('POST', '/internal/parked/redrive', body);
    for (const body of [{}, { limit: 5 }, { school: 'school_1', limit: 0 }])
      expect((await redrive(body)).status).toBe(422);
    expect((await redrive({ school: 'school_1', error: 'something else' })).body).toMatchObject({
      parked: 0,
      flowing: 0,
    });
    // In vain: what fails again does not keep the others from being tried.
    const first = (await redrive({ projection: 'titles', school: 'school_1', limit: 2 })).body;
    expect(first).toEqual({ object: 'redrives', applied: 0, flowing: 0, parked: 2, next: expect.any(String) });
    taste.poison = true;
    const rest = (await redrive({ school: 'school_1', after: first.next })).body;
    expect(rest).toEqual({ object: 'redrives', applied: 1, flowing: 1, parked: 0, next: null });
    expect(await left()).toBe(3);
    expect((await redrive({ error: 'cannot take poison', school: 'school_1' })).body).toMatchObject({
      flowing: 2,
      next: null,
    });
    expect((await process.ask('GET', '/internal/parked')).body.data).toMatchObject([{ school: 'school_2' }]);
    expect((await redrive({ projection: 'titles@3' })).body).toMatchObject({ flowing: 1 });
    expect(await left()).toBe(0);
  });

  test('rebuilds a read model by name', async () => {
    await process.write('school_1', 'course_1', 'Poison');
    await process.until('/internal/parked', ({ data }) => data.length === 1);
    taste.poison = true;
    const begun = await process.ask('POST', '/internal/projections/titles/rebuild');
    expect([begun.status, begun.body]).toEqual([
      202,
      { object: 'rebuild', service: 'catalog', projection: 'titles@3' },
    ]);
    await process.until('/internal/projections', ({ data }) => data[0].state === 'live' && data[0].parked === 0);
    expect((await process.ask('POST', '/internal/projections/nothing/rebuild')).status).toBe(404);
    expect((await process.ask('POST', '/internal/projections/titles/rebuild?service=other')).status).toBe(404);
  });

  test('reads metrics by service, route template and lane, and no school among them', async () => {
    await process.write('school_1', 'course_1');
    await process.ask('GET', '/internal/lanes?service=secret');
    const { text } = await process.ask('GET', '/metrics');
    const lane = process.ports.log.laneOf('school_1');
    for (const line of [
      'http_server_request_duration_seconds_count{service="operator",http_request_method="GET",http_route="/internal/lanes",http_response_status_code="200"} 1',
      'lyceum_log_append_duration_seconds_count{service="catalog"} 1',
      `lyceum_lane_head{service="catalog",lane="${lane}"} 1`,
      `lyceum_projection_lag_positions{service="catalog",projection="titles@3",source="catalog",lane="${lane}"} `,
      `lyceum_consumer_lag_seconds{consumer="listener",source="catalog",lane="${lane}"} `,
      `lyceum_relay_lag_seconds{service="catalog",lane="${lane}"} `,
      'lyceum_log_commit_duration_seconds_bucket{le="0.5",service="catalog"}',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
      'lyceum_ready 1',
    ])
      expect(text).toContain(line);
    expect(text).not.toMatch(/school_1|secret/);
  });

  test('finds every operation described, and nothing open without the token', async () => {
    const { body } = await process.ask('GET', '/internal/openapi.json');
    const paths = Object.keys(body.paths);
    for (const path of ['/metrics', '/internal/backup', '/internal/parked/{id}/redrive', '/internal/openapi.json'])
      expect(paths).toContain(path);
    for (const methods of Object.values(body.paths) as Answer[])
      for (const each of Object.values(methods) as Answer[]) expect(each.security).toEqual([{ operator: [] }]);
    expect(body.components.securitySchemes).toEqual({ operator: expect.objectContaining({ scheme: 'bearer' }) });
    const watched = { services: [], watch: undefined as never, facts: undefined as never, clock: process.ports.clock };
    checkOperations([
      metricsOperation(new Metrics()),
      ...lookingOperations(watched),
      ...mendingOperations(watched, () => undefined),
      backupOperation(undefined as never),
    ]);
  });

  test('sees a process whose commands fail, and has them tried again: then they take effect once', async () => {
    await process.write('school_1', 'course_1', 'ReviewAsked', {});
    const { data } = await process.until('/internal/stuck', (body) => body.data.length > 0);
    const stuck = { service: 'catalog', process: 'review', school: 'school_1', correlation: 'course_1' };
    expect(data).toEqual([expect.objectContaining({ ...stuck, error: 'no reviewer' })]);
    const counted = async (count: number) =>
      expect((await process.ask('GET', '/metrics')).text).toContain(
        `lyceum_stuck_processes{service="catalog",process="review"} ${count}\n`,
      );
    await counted(1);
    taste.work = true;
    const resumed = () => process.ask('POST', `/internal/stuck/${data[0].id}/resume`);
    expect((await resumed()).status).toBe(202);
    await process.until('/internal/stuck', (body) => body.data.length === 0);
    await counted(0);
    expect((await resumed()).status).toBe(404);
    const { commits } = await process.ports.log.load('school_1', ['course_1']);
    const types = commits.flatMap(({ events }) => events.map(({ type }) => type));
    expect(types.filter((type) => type === 'Reviewed')).toHaveLength(1);
  });

  test('C17: backs up while it serves; what is restored is another life of the log, with its read models built again', async () => {
    for (let n = 0; n < 30; n += 1) await process.write(`school_${n % 4}`, `course_${n}`);
    const target = join(`${process.folder}-backups`, 'monday');
    const made = await process.ask('POST', '/internal/backup', { folder: target });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: 'backup', folder: target });
    expect(made.body.services.catalog.heads.reduce((sum: number, head: number) => sum + head)).toBe(30);
    await process.write('school_1', 'course_31');
    expect((await process.ask('POST', '/internal/backup', { folder: target })).body).toMatchObject({
      error: 'validation_failed',
      error_description: expect.stringContaining('not empty'),
    });
    expect((await process.ask('POST', '/internal/backup', { folder: '/elsewhere' })).status).toBe(422);

    const folder = await mkdtemp(join(tmpdir(), 'lyceum-restored-'));
    folders.push(folder, join(target, '..'));
    await restore({ from: target, dataDir: folder });
    expect(await readdir(join(folder, 'catalog'))).not.toContain('documents.db');
    const restored = await operate({ folder });
    try {
      const { data } = (await restored.ask('GET', '/internal/lanes')).body;
      expect(data[0].incarnation).not.toBe(process.ports.log.epoch);
      expect(data.reduce((sum: number, row: Answer) => sum + row.head, 0)).toBe(30);
      const [model] = (await restored.ask('GET', '/internal/projections')).body.data;
      expect(model.lanes.map((place: Answer) => place.position)).toEqual(data.map((row: Answer) => row.head));
    } finally {
      await restored.stop();
    }
  });

  test('C17: read models that were kept beside a restored log are built anew, though they are ahead of it', async () => {
    await process.write('school_1', 'course_1');
    const target = join(`${process.folder}-backups`, 'monday');
    await process.ask('POST', '/internal/backup', { folder: target });
    await process.write('school_1', 'course_1', 'CourseRenamed');
    await process.until('/internal/projections', ({ data }) => laneOf(data[0].lanes, 'school_1').position === 2);
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-restored-'));
    folders.push(folder, join(target, '..'));
    await restore({ from: target, dataDir: folder });
    await process.stop();
    const { cp } = await import('node:fs/promises');
    await cp(join(process.folder, 'catalog', 'documents.db'), join(folder, 'catalog', 'documents.db'));
    process = await operate({ folder });
    const [model] = (await process.ask('GET', '/internal/projections')).body.data;
    expect(laneOf(model.lanes, 'school_1').position).toBe(1);
    expect(laneOf((await process.ask('GET', '/internal/lanes')).body.data, 'school_1').head).toBe(1);
  });
});
