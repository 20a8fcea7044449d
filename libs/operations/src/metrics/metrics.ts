import { namedMethod } from '@lyceum/web';
import { Counter, Gauge, Histogram, Registry, type RegistryContentType, collectDefaultMetrics } from 'prom-client';

/** Upper bounds of request durations, seconds. @see OpenTelemetry semantic conventions, `http.server.request.duration` */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const requestLabels = ['service', 'http_request_method', 'http_route', 'http_response_status_code'] as const;
/** Upper bounds of writes to a disk, seconds. */
const writeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** An answered request. `route` is the template. */
export interface Answered {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The recorded span of it, where there is one. */
  readonly trace?: { readonly trace_id: string; readonly span_id: string } | undefined;
}

/**
 * What a process counts. Names follow OpenTelemetry where it has one. No label names a school: there may be 100,000.
 * What is looked up only when metrics are read is filled in by `beforeReading`.
 */
export class Metrics {
  readonly #registry = new Registry<RegistryContentType>();
  readonly #hasExemplars: boolean;
  readonly #looks: (() => Promise<void> | void)[] = [];
  readonly #requests: Histogram;
  /** By what is told apart; as many as the histogram has series. To find one by its labels costs more than to count. */
  readonly #answers = new Map<string, Histogram.Internal<string>>();
  readonly #tokens = new Counter({
    name: 'lyceum_token_requests_total',
    help: 'Answers of the token endpoint by grant type and error; error is empty for tokens given',
    labelNames: ['grant_type', 'error'] as const,
    registers: [this.#registry],
  });
  readonly #retried = new Counter({
    name: 'lyceum_refresh_retries_total',
    help: 'Refreshes that were answered once more with the same tokens, because the answer may have been lost',
    registers: [this.#registry],
  });
  readonly #limited = new Counter({
    name: 'lyceum_rate_limits_total',
    help: 'Requests that a rate limit refused, or let through because they could not be counted (unknown)',
    labelNames: ['policy', 'outcome'] as const,
    registers: [this.#registry],
  });
  readonly #appends = new Histogram({
    name: 'lyceum_log_append_duration_seconds',
    help: 'From the call of an append until it is durable',
    labelNames: ['service'] as const,
    buckets: writeBuckets,
    registers: [this.#registry],
  });
  readonly #conflicts = new Counter({
    name: 'lyceum_log_append_failures_total',
    help: 'Appends that wrote nothing by the name of the error, e.g. ConcurrencyConflict',
    labelNames: ['service', 'error'] as const,
    registers: [this.#registry],
  });
  readonly #commits = new Histogram({
    name: 'lyceum_log_commit_duration_seconds',
    help: 'Commits of the embedded engine, fsync included; one commit holds many appends',
    labelNames: ['service'] as const,
    buckets: writeBuckets,
    registers: [this.#registry],
  });

  /** `hasExemplars`: whether requests that are recorded as traces are named by them. */
  constructor(hasExemplars = false) {
    this.#hasExemplars = hasExemplars;
    if (hasExemplars) this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of requests by route template',
      labelNames: requestLabels,
      buckets: requestBuckets,
      enableExemplars: hasExemplars,
      registers: [this.#registry],
    });
  }

  /** Measures the process too: memory, processor, event-loop delay, garbage collection. */
  observeProcess(): void {
    // The loop is looked at so many milliseconds apart: at every 10 that was half of what an idle process does.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 50 });
  }

  answered({ service, method, route, status, duration, trace }: Answered): void {
    const known = namedMethod(method);
    const key = `${service} ${known} ${status} ${route}`;
    let answers = this.#answers.get(key);
    if (!answers) this.#answers.set(key, (answers = this.#requests.labels(service, known, route, String(status))));
    if (trace && this.#hasExemplars) {
      const labels = {
        service,
        http_request_method: known,
        http_route: route,
        http_response_status_code: String(status),
      };
      this.#requests.observe({ labels, value: duration / 1_000, exemplarLabels: trace });
    } else answers.observe(duration / 1_000);
  }

  tokenAnswered(grantType: string, error: string | undefined): void {
    this.#tokens.labels(grantType, error ?? '').inc();
  }

  refreshRetried(): void {
    this.#retried.inc();
  }

  limited(policy: string, outcome: string): void {
    this.#limited.labels(policy, outcome).inc();
  }

  /** `failure` is the error of an append that failed. */
  appended(service: string, seconds: number, failure?: unknown): void {
    if (failure === undefined) this.#appends.labels(service).observe(seconds);
    else this.#conflicts.labels(service, failure instanceof Error ? failure.name : 'unknown').inc();
  }

  committed(service: string, seconds: number): void {
    this.#commits.labels(service).observe(seconds);
  }

  /** A value that is set right before it is read. */
  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A count that is kept elsewhere and set right before it is read. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** Runs before every reading; what fails is left as it was. */
  beforeReading(look: () => Promise<void> | void): void {
    this.#looks.push(look);
  }

  /** The media type of `text`. */
  get mediaType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the Prometheus text format, version 0.0.4, or with exemplars in that of OpenMetrics 1.0.0. */
  async text(): Promise<string> {
    await Promise.allSettled(this.#looks.map(async (look) => look()));
    return this.#registry.metrics();
  }
}
