import type { Database } from '@lyceum/sqlite';
import { type EventLog, LaneGaps, forwarding } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import { isDiskFull } from '../disk-full.ts';
import type { Watch } from '@lyceum/service';
import type { Metrics } from './metrics.ts';

/** The fields of a line that tells of an answered request. */
interface RequestLine {
  readonly service?: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly trace_flags?: string;
  /** The token endpoint's. */
  readonly grant_type?: string;
  readonly code?: string;
  /** Its answer was given before. */
  readonly retried?: boolean;
  /** A rate limit that refused the request, or that could not be counted. */
  readonly policy?: string;
  readonly limit?: string;
}

const isRequest = (line: unknown): line is RequestLine =>
  typeof line === 'object' && line !== null && 'route' in line && 'duration_ms' in line && 'status' in line;

/**
 * The same logger, whose lines about requests are counted as well, whatever the level: they carry the route's template
 * and nothing of what was sent.
 */
export function meteredLogger(logger: Logger, service: string, metrics: Metrics): Logger {
  const info = (...line: readonly unknown[]): void => {
    const [request] = line;
    if (isRequest(request)) count(request, service, metrics);
    (logger.info as (...line: readonly unknown[]) => void).apply(logger, [...line]);
  };
  return Object.create(logger, { info: { value: info } }) as Logger;
}

function count(line: RequestLine, service: string, metrics: Metrics): void {
  const { method, route, status, duration_ms: duration, grant_type: grant, policy, limit } = line;
  const { trace_id, span_id, trace_flags } = line;
  const trace = trace_id && span_id && trace_flags === '01' ? { trace_id, span_id } : undefined;
  metrics.answered({ service: line.service ?? service, method, route, status, duration, trace });
  if (grant !== undefined) metrics.tokenAnswered(grant, line.code);
  if (line.retried) metrics.refreshRetried();
  if (policy !== undefined && limit !== undefined) metrics.limited(policy, limit);
}

/**
 * The same log, whose appends are timed, whose refusals are counted and whose followers tell where they stand; the alarm
 * `disk_full` stands from the append that found no room to the next that did.
 */
export function meteredLog(
  log: EventLog,
  service: string,
  { metrics, watch }: { readonly metrics: Metrics; readonly watch: Watch },
): EventLog {
  let isFull = false;
  const noteRoom = (full: boolean): void => {
    if (full !== isFull) watch.alarm(service, 'disk_full', full ? 1 : 0);
    isFull = full;
  };
  return forwarding(log, {
    laneGaps: new LaneGaps(),
    async append(append) {
      const began = performance.now();
      try {
        const appended = await log.append(append);
        metrics.appended(service, (performance.now() - began) / 1_000);
        noteRoom(false);
        return appended;
      } catch (error) {
        metrics.appended(service, 0, error);
        if (isDiskFull(error)) noteRoom(true);
        throw error;
      }
    },
  });
}

/** The same database, whose trips to stable storage are timed. */
export function meteredDatabase(database: Database, service: string, metrics: Metrics): Database {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    begin: () => database.begin(),
    commit: () => database.commit(),
    async sync() {
      const began = performance.now();
      await database.sync();
      metrics.committed(service, (performance.now() - began) / 1_000);
    },
    rollback: () => database.rollback(),
    transaction: (work) => database.transaction(work),
    scrub: () => database.scrub(),
    close: () => database.close(),
  };
}
