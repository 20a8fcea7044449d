import { describe, expect, test } from '@jest/globals';
import { createLogger } from '../logger.ts';
import { printedSettings, problemLines, readEnvironment } from './environment.ts';
import { tracingOf } from './tracing.ts';

const read = (env: Readonly<Record<string, string>>) => readEnvironment([], env);
const problems = (env: Readonly<Record<string, string>>) => read(env).problems.map(({ variable }) => variable);

describe('the settings of traces', () => {
  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://localhost:4317' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:secret@collector.example' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/?key=secret' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret,' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret%0d%0ax-other:1' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'x key=secret' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret%' }],
    [{ OTEL_SERVICE_NAME: 'two words' }],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    [{ OTEL_TRACES_SAMPLER_ARG: '-1' }],
    [{ OTEL_TRACES_SAMPLER_ARG: 'all' }],
  ])('refuse %j by the name of the variable', (env) => expect(problems(env)).toEqual(Object.keys(env)));

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' }],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dXNlcjpzZWNyZXQ=,x-tenant=a' }],
    [{ OTEL_SERVICE_NAME: 'lyceum-gateway.eu' }],
    [{ OTEL_TRACES_SAMPLER_ARG: '0.05' }],
    [{ OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('take %j', (env) => expect(problems(env)).toEqual([]));

  test('hide the headers, which may be a key, in what is printed and in what is refused', () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=planted' };
    const printed = printedSettings([], read(headers).settings).join('\n');
    expect(printed).toContain('OTEL_EXPORTER_OTLP_HEADERS=(hidden)');
    const refused = problemLines(read({ OTEL_EXPORTER_OTLP_HEADERS: 'planted' })).join('\n');
    expect(printed + refused).not.toContain('planted');
  });

  test('trace nothing unless they name a collector', async () => {
    const { settings } = read({ OTEL_TRACES_SAMPLER_ARG: '1', OTEL_SERVICE_NAME: 'x' });
    expect(await tracingOf([{ name: 'catalog' }], settings, createLogger('silent'))).toBeUndefined();
  });
});
