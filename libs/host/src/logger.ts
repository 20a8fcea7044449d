import { Unavailable } from '@lyceum/eventlog';
import { BoundedMap, isObject } from '@lyceum/kernel';
import { isDiskFull } from '@lyceum/operations';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** Names that a log line may carry. Anything else is withheld, so that no body, token or e-mail address is logged by accident. */
const allowed: ReadonlySet<string> = new Set(
  `service module reason phase signal abandoned hint method route status duration_ms request_id trace_id span_id trace_flags school client code operation
  grant_type source consumer collection stream lane position event url data_dir file err mode demo demo_password_file schools
  mail_withheld_since domain all lacking differing correlation reader
  path policy limit retried reaction checkpoint projection epoch count commits bytes_before bytes_after repeated provider order_id payment_id subscription_id`.split(
    /\s+/,
  ),
);

const deepest = 3;

/** Keeps the allowed names of a line; values are scalars, lists of scalars, or errors. */
function redact(line: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [name, allowed.has(name) ? printable(value) : '[withheld]']),
  );
}

const printable = (value: unknown): unknown => {
  if (value instanceof Error) return describeError(value);
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'object' ? '[withheld]' : each));
  return typeof value === 'object' && value !== null ? '[withheld]' : value;
};

/** An error as far as it helps: name, message and stack, and so for its causes. Own fields (requests, rows) stay out. */
function describeError(error: Error, depth = 1): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const at = stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .map((line) => line.trim());
  const under = cause instanceof Error && depth < deepest ? { cause: describeError(cause, depth + 1) } : {};
  return { name, message, at, ...under };
}

/** What is logged once in so many milliseconds, in place of a line each time. */
interface Folded {
  readonly key: string;
  readonly quiet: number;
  readonly line: Readonly<Record<string, unknown>>;
}

/**
 * A full disk fails every write, and fills itself with lines. A service or an engine that is away fails every consumer of it,
 * in every lane: one line for each consumer and source is told.
 */
function foldedLine(line: Readonly<Record<string, unknown>>, message: unknown): Folded | undefined {
  const { err, consumer, source } = line;
  if (!(err instanceof Error)) return undefined;
  if (isDiskFull(err)) {
    const short = Object.assign(new Error(err.message), { name: err.name, stack: '' });
    return { key: 'disk_full', quiet: 60_000, line: { ...line, err: short, reason: 'disk_full' } };
  }
  if (!(err instanceof Unavailable) || source === undefined) return undefined;
  return { key: JSON.stringify([message, consumer, source, err.message]), quiet: 10_000, line };
}

/** Of lines that are folded one is written in a while, with the number of those left out. */
function foldRepeated(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const told = new BoundedMap<string, { readonly at: number; repeated: number }>(1_000);
  return function (args, method) {
    const line: unknown = args[0];
    const folded = isObject(line) ? foldedLine(line, args[1]) : undefined;
    if (!folded) return method.apply(this, args);
    const before = told.get(folded.key);
    const now = performance.now();
    if (before && now - before.at < folded.quiet) return void (before.repeated += 1);
    told.set(folded.key, { at: now, repeated: 0 });
    const counted = { ...folded.line, ...(before && before.repeated > 0 && { repeated: before.repeated }) };
    return method.apply(this, [counted, ...args.slice(1)] as unknown as typeof args);
  };
}

/**
 * JSON lines on stdout, or on the given stream. Nobody waits for stdout: lines that came meanwhile are written together,
 * and a slow reader holds up no request. What is not written yet is written when the process exits.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Logger {
  return bound(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        messageKey: 'message',
        serializers: { err: (error: unknown) => error },
        hooks: { logMethod: foldRepeated() },
        formatters: { level: (label) => ({ level: label }), log: redact },
      },
      destination,
    ),
    {},
  );
}

/**
 * Gives children their bindings through the redaction, and a line the last word: no name stands in it twice. A child
 * inherits from its logger, so pino's own `child` is handed down.
 */
function bound(logger: Logger, bindings: Readonly<Record<string, unknown>>, child = logger.child): Logger {
  const bind = (more: Readonly<Record<string, unknown>>): Logger => {
    const all = { ...bindings, ...more };
    const plain = child<never>;
    return bound(plain.call(logger, {}, { formatters: { log: (line) => redact({ ...all, ...line }) } }), all, child);
  };
  return Object.assign(logger, { child: bind });
}
