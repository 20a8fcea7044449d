import { type Tracing, openTracing } from '@lyceum/operations';
import type { AnyModule } from '@lyceum/service';
import type { Logger } from 'pino';
import { z } from 'zod';

function isCollector(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** As the standard has it: pairs as in a `baggage` header. @see https://www.w3.org/TR/baggage/#header-content */
const areHeaders = (text: string): boolean =>
  text.split(',').every((pair) => {
    const [name = '', ...value] = pair.split('=');
    return /^[\w.-]+$/.test(name.trim()) && value.length > 0 && isPrintable(value.join('='));
  });

function isPrintable(encoded: string): boolean {
  try {
    return /^[\x20-\x7e]*$/.test(decodeURIComponent(encoded));
  } catch {
    return false;
  }
}

/** Where traces go. Names and meanings are those of OpenTelemetry. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isCollector, 'a URL like http://localhost:4318')
    .optional()
    .meta({ description: 'OTLP/HTTP collector that traces go to, as JSON to /v1/traces below it; unset = no traces' }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(areHeaders, 'name=value,name=value, percent-encoded')
    .optional()
    .meta({ secret: true, description: 'Headers for the collector, e.g. its key' }),
  OTEL_SERVICE_NAME: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'up to 100 printable ASCII characters without spaces')
    .optional()
    .meta({ description: 'Name of this process in traces; unset = lyceum- and the service, or lyceum for several' }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'a number from 0 to 1, e.g. 0.05')
    .default('1')
    .transform(Number)
    .meta({ description: 'Share of the requests whose trace is recorded; what follows from one is recorded with it' }),
} as const;

type TracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;

/** The traces of a process; undefined where the settings name no collector. */
export async function tracingOf(
  modules: readonly Pick<AnyModule, 'name'>[],
  settings: TracingSettings,
  logger: Logger,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (endpoint === undefined) return undefined;
  const [first, ...others] = modules;
  const service = settings.OTEL_SERVICE_NAME ?? (first && others.length === 0 ? `lyceum-${first.name}` : 'lyceum');
  return openTracing({ endpoint, headers, service, ratio: settings.OTEL_TRACES_SAMPLER_ARG, logger });
}
