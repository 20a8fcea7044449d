import { describe, expect, jest, test } from '@jest/globals';
import { Unavailable } from '@lyceum/eventlog';
import type { AccessLine } from '@lyceum/web';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from './logger.ts';

const capture = () => {
  const lines: string[] = [];
  return { lines, logger: createLogger('info', { write: (line) => void lines.push(line) }) };
};

describe('the log', () => {
  test('is one JSON object per line with time, level and message', () => {
    const { lines, logger } = capture();
    logger.child({ service: 'auth' }).info({ route: '/api/courses', status: 200 }, 'request');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      service: 'auth',
      route: '/api/courses',
      status: 200,
      message: 'request',
    });
    expect(JSON.parse(lines[0]!).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('has a name once: what a line says wins over what its logger was bound to', () => {
    const { lines, logger } = capture();
    logger.child({ service: 'auth', module: 'auth' }).child({ service: 'token' }).info({ service: 'web' });
    expect(lines[0]!.match(/"service"/g)).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ service: 'web', module: 'auth' });
  });

  test('withholds every name that is not allowed, in lines and in bindings', () => {
    const { lines, logger } = capture();
    logger
      .child({ token: 'planted-1' })
      .info({ authorization: 'planted-2', status: { nested: 'planted-3' } }, 'request');
    expect(lines.join('')).not.toContain('planted');
    expect(lines.join('')).toContain('[withheld]');
  });

  test('shows all of an access line', () => {
    const { lines, logger } = capture();
    const line: Required<AccessLine> = {
      service: 'catalog',
      method: 'GET',
      route: '/api/courses',
      status: 200,
      duration_ms: 1,
      request_id: 'req_1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      trace_flags: '01',
      school: 'school_1',
      client: 'client_1',
      code: 'not_found',
      path: '/api/coursez',
      grant_type: 'refresh_token',
      retried: true,
      policy: 'token',
      limit: 'refused',
    };
    logger.info(line, 'request');
    expect(JSON.parse(lines[0]!)).toMatchObject(line);
  });

  test('tells of a full disk once, in few words, and not with every request', () => {
    const { lines, logger } = capture();
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    for (let n = 0; n < 50; n += 1)
      logger
        .child({ service: 'auth' })
        .error({ err: new Error('not written', { cause: full }), route: '/api/courses' });
    logger.error({ err: new Error('another') }, 'failed');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        service: 'auth',
        reason: 'disk_full',
        err: { name: 'Error', message: 'not written', at: [] },
      }),
      expect.objectContaining({ message: 'failed' }),
    ]);
  });

  test('tells of what is away once for each consumer and source, not for each lane, and then how often', () => {
    const { lines, logger } = capture();
    const now = jest.spyOn(performance, 'now');
    const away = (consumer: string, lane: number) =>
      logger.error({ err: new Unavailable('no facts'), consumer, source: 'school', lane }, 'a follower failed');
    now.mockReturnValue(1_000);
    for (let lane = 0; lane < 16; lane += 1) away('one', lane);
    away('two', 0);
    logger.error({ err: new Unavailable('no answer') }, 'a request failed');
    logger.error({ err: new Unavailable('no answer') }, 'a request failed');
    now.mockReturnValue(11_001);
    away('one', 3);
    now.mockRestore();
    expect(
      lines.map((line) => JSON.parse(line)).map(({ consumer, lane, repeated }) => [consumer, lane, repeated]),
    ).toEqual([
      ['one', 0, undefined],
      ['two', 0, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      ['one', 3, 15],
    ]);
  });

  test('shows an error with its cause, without the fields that libraries hang on errors', () => {
    const { lines, logger } = capture();
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { request: { body: 'planted' } });
    logger.error({ err: error }, 'failed');
    const { err } = JSON.parse(lines[0]!);
    expect(err).toMatchObject({ name: 'Error', message: 'outer', cause: { message: 'inner' } });
    expect(lines[0]).not.toContain('planted');
  });

  test('newcomer 25: no line of the code has a name that the log withholds', () => {
    const root = join(import.meta.dirname, '../../..');
    const sources = ['libs', 'services'].flatMap((group) =>
      readdirSync(join(root, group), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\/src\/.*\.ts$/.test(file) && !/test|node_modules|crashtest|bench|simulation/.test(file))
        .map((file) => readFileSync(join(root, group, file), 'utf8')),
    );
    const names = sources.flatMap((text) =>
      [...text.matchAll(/logger\s*\.(?:debug|info|warn|error|fatal)\(\s*\{([^{}]*)\}/g)].flatMap(([, inside]) =>
        [...inside!.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, name]) => name!),
      ),
    );
    const { lines, logger } = capture();
    logger.info(Object.fromEntries(names.map((name) => [name, 'x'])), 'all');
    const withheld = Object.entries(JSON.parse(lines[0]!) as object).filter(([, value]) => value === '[withheld]');
    expect([new Set(names).size > 15, withheld]).toEqual([true, []]);
  });
});
