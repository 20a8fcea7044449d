import { isObject } from '@lyceum/kernel';
import { isDiskFull } from '@lyceum/operations';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** Names that a log line may carry. Anything else is withheld, so that no body, token or e-mail address is logged by accident. */
const allowed: ReadonlySet<string> = new Set(
  `service module reason phase signal abandoned hint method route status duration_ms request_id trace_id school client code operation
  grant_type source consumer collection stream lane position event url data_dir file err mode demo demo_password_file schools
  mail_withheld_since domain all lacking differing correlation
  path policy limit retried reaction checkpoint projection epoch count repeated provider order_id payment_id subscription_id`.split(
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

/** Milliseconds in which a full disk is logged once. */
const folded = 60_000;

/** A full disk fails every write, and fills itself with lines: one a minute is written, with the number of those left out. */
function foldFullDisk(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  let [since, repeated] = [-Infinity, 0];
  return function (args, method) {
    const line: unknown = args[0];
    const err = isObject(line) ? line['err'] : undefined;
    if (!isObject(line) || !(err instanceof Error) || !isDiskFull(err)) return method.apply(this, args);
    if (performance.now() - since < folded) return void (repeated += 1);
    const { name, message } = err;
    const short = Object.assign(new Error(message), { name, stack: '' });
    const brief = { ...line, err: short, reason: 'disk_full', ...(repeated > 0 && { repeated }) };
    [since, repeated] = [performance.now(), 0];
    return method.apply(this, [brief, ...args.slice(1)] as unknown as typeof args);
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
        hooks: { logMethod: foldFullDisk() },
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
