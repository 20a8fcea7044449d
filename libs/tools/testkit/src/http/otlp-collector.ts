import type { IncomingHttpHeaders } from 'node:http';
import { until } from '../until.ts';
import { listen } from './listen.ts';

/** A span as a collector received it. */
export interface CollectedSpan {
  readonly name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly links: readonly { readonly traceId: string; readonly flags: number }[];
  readonly attributes: Readonly<Record<string, string | number>>;
  /** `service.name`. */
  readonly service: string;
  /** Whether it failed. */
  readonly isFailed: boolean;
}

/** A collector of traces: OTLP/HTTP with JSON on a free port of 127.0.0.1. */
export interface OtlpCollector {
  readonly url: string;
  /** All spans so far. */
  spans(): readonly CollectedSpan[];
  /** Resolves to all spans once as many satisfy the test, or throws. */
  until(isWanted: (span: CollectedSpan) => boolean, count?: number): Promise<readonly CollectedSpan[]>;
  /** Everything that was received, headers too, as text. */
  text(): string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** Starts one. `answer` is called for each request, before it is answered: a status, or a promise of one that may never come. */
export async function otlpCollector(answer: () => number | Promise<number> = () => 200): Promise<OtlpCollector> {
  const bodies: string[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const listener = await listen(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    requests.push({ path: request.url ?? '', headers: request.headers });
    const status = await answer();
    if (status === 200) bodies.push(Buffer.concat(pieces).toString());
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const spans = () => bodies.flatMap(spansOf);
  return {
    url: `http://127.0.0.1:${listener.port}`,
    spans,
    async until(isWanted, count = 1) {
      const what = () => `${count} beside ${JSON.stringify(spans().map(({ name }) => name))}`;
      await until(() => spans().filter(isWanted).length >= count, what);
      return spans();
    },
    text: () => [...bodies, JSON.stringify(requests)].join('\n'),
    requests,
    close: () => listener.close(),
  };
}

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'service' | 'isFailed'> & {
        readonly attributes: readonly KeyValue[];
        readonly status?: { readonly code?: number };
      })[];
    }[];
  }[];
}

const valuesOf = (attributes: readonly KeyValue[]): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? '']),
  );

const spansOf = (body: string): readonly CollectedSpan[] =>
  (JSON.parse(body) as Body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ status, attributes, parentSpanId = '', links = [], ...span }) => ({
        ...span,
        parentSpanId,
        links,
        attributes: valuesOf(attributes),
        service: String(valuesOf(resource.attributes)['service.name']),
        isFailed: status?.code === 2,
      })),
    ),
  );
