import { describe, expect, test } from '@jest/globals';
import { memoryEventLog } from '@lyceum/eventlog';
import { pino } from 'pino';
import { meteredLog, meteredLogger } from './metered.ts';
import { Watch } from '@lyceum/service';
import { Metrics } from './metrics.ts';

const line = { method: 'POST', route: '/api/oauth/token', status: 400, duration_ms: 30, request_id: 'req_1' };

describe('what is counted', () => {
  test('requests come from the lines about them, whatever the level of the logger', async () => {
    const metrics = new Metrics();
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (text) => void lines.push(text) });
    meteredLogger(logger, 'auth', metrics).info({ ...line, school: 'school_1' });
    meteredLogger(pino({ level: 'silent' }), 'gateway', metrics).info({ ...line, method: 'BREW', status: 404 });
    meteredLogger(logger, 'auth', metrics).info({ phase: 'draining' }, 'stopping');
    const text = await metrics.text();
    const labels = (service: string, method: string, status: number) =>
      `service="${service}",http_request_method="${method}",http_route="/api/oauth/token",http_response_status_code="${status}"`;
    expect(text).toContain(`http_server_request_duration_seconds_sum{${labels('auth', 'POST', 400)}} 0.03`);
    expect(text).toContain(`http_server_request_duration_seconds_bucket{le="0.025",${labels('auth', 'POST', 400)}} 0`);
    expect(text).toContain(`http_server_request_duration_seconds_count{${labels('gateway', '_OTHER', 404)}} 1`);
    expect(text).not.toContain('school_1');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0]!)).toMatchObject({ route: '/api/oauth/token', status: 400 });
  });

  test('token requests are counted by grant type and error', async () => {
    const metrics = new Metrics();
    const logger = meteredLogger(pino({ level: 'silent' }), 'auth', metrics);
    logger.info({ ...line, grant_type: 'refresh_token', code: 'invalid_grant' });
    logger.info({ ...line, status: 200, grant_type: 'authorization_code' });
    logger.info({ ...line, status: 200, grant_type: 'refresh_token', retried: true });
    const text = await metrics.text();
    expect(text).toContain('lyceum_token_requests_total{grant_type="refresh_token",error="invalid_grant"} 1');
    expect(text).toContain('lyceum_token_requests_total{grant_type="authorization_code",error=""} 1');
    expect(text).toContain('lyceum_refresh_retries_total 1');
  });

  test('requests that a rate limit refused or could not count are counted by policy', async () => {
    const metrics = new Metrics();
    const logger = meteredLogger(pino({ level: 'silent' }), 'auth', metrics);
    logger.info({ ...line, status: 429, policy: 'token', limit: 'refused' });
    logger.info({ ...line, status: 200, policy: 'token', limit: 'unknown' });
    const text = await metrics.text();
    expect(text).toContain('lyceum_rate_limits_total{policy="token",outcome="refused"} 1');
    expect(text).toContain('lyceum_rate_limits_total{policy="token",outcome="unknown"} 1');
  });

  test('a full disk raises an alarm, which ends with the first append that finds room', async () => {
    const [watch, inner] = [new Watch(), memoryEventLog()];
    let isFull = true;
    const full = new Error('not written', { cause: Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) });
    const append: typeof inner.append = (given) => (isFull ? Promise.reject(full) : inner.append(given));
    const log = meteredLog({ ...inner, laneOf: (tenant) => inner.laneOf(tenant), append }, 'catalog', {
      metrics: new Metrics(),
      watch,
    });
    watch.expect('catalog', 'disk_full');
    const alarm = () => watch.alarms().map(({ name, value }) => [name, value]);
    const write = () =>
      log.append({
        tenant: 'school_1',
        expectations: [],
        events: [{ stream: 'course_1', type: 'CourseCreated', schema: 1, data: {} }],
        commitId: 'commit_1',
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'test' },
      });
    expect(alarm()).toEqual([['disk_full', 0]]);
    await expect(write()).rejects.toThrow('not written');
    expect(alarm()).toEqual([['disk_full', 1]]);
    isFull = false;
    await write();
    expect(alarm()).toEqual([['disk_full', 0]]);
  });

  test('appends are timed, and those that wrote nothing are counted by their error', async () => {
    const metrics = new Metrics();
    const log = meteredLog(memoryEventLog(), 'catalog', { metrics, watch: new Watch() });
    const append = {
      tenant: 'school_1',
      expectations: [{ stream: 'course_1', version: 0 }],
      events: [{ stream: 'course_1', type: 'CourseCreated', schema: 1, data: {} }],
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    };
    await log.append({ ...append, commitId: 'one' });
    await expect(log.append({ ...append, commitId: 'two' })).rejects.toThrow();
    const text = await metrics.text();
    expect(text).toContain('lyceum_log_append_duration_seconds_count{service="catalog"} 1');
    expect(text).toContain('lyceum_log_append_failures_total{service="catalog",error="ConcurrencyConflict"} 1');
    await log.close();
  });

  test('one look that fails does not take the others along', async () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge('lyceum_test', 'A value', []);
    metrics.beforeReading(() => Promise.reject(new Error('planned failure')));
    metrics.beforeReading(() => gauge.set(7));
    expect(await metrics.text()).toContain('lyceum_test 7');
  });
});
