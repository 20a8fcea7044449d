import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { listOf, listQuery, operation, describe as described } from '@lyceum/web';
import { z } from 'zod';
import { mergeApis, openApi } from './school-openapi.ts';
import { publicApi, describedPaths } from './public-documents.ts';
import { serviceOf } from '../../routing/service-of-path.ts';

type Json = Record<string, unknown>;

const lamp = z
  .object({ id: z.string(), note: z.string().nullable(), made_at: z.iso.datetime() })
  .meta({ id: 'Lamp', example: { id: 'lamp_1', note: null, made_at: '2026-01-05T08:00:00.000Z' } });
const operations = [
  operation({
    id: 'listCourses',
    method: 'GET',
    path: '/api/courses',
    area: 'courses',
    summary: 'List lamps',
    status: 200,
    scope: 'courses:read',
    anonymous: true,
    query: z.strictObject(listQuery),
    reply: listOf(lamp),
    handle: async () => ({}),
  }),
];
const ownerOf = (path: string) => (describedPaths.includes(path) ? 'gateway' : serviceOf(path));
const document = JSON.parse(
  JSON.stringify(
    openApi(
      mergeApis(
        [
          { service: 'gateway', document: publicApi() },
          { service: 'catalog', document: described('catalog', operations) },
        ],
        ownerOf,
      ),
      {
        name: 'School',
        baseUrl: 'https://school.example',
        docsUrl: 'https://docs.example',
        limitFactor: 1,
        hasMcp: false,
      },
    ),
  ),
) as { paths: Record<string, Record<string, Json>>; components: Record<string, Record<string, Json>> };

describe('the OpenAPI document', () => {
  test('OpenAPI 3.0: an independent validator accepts it', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  test('the validator is really asked: it finds a response without a description', async () => {
    const broken = structuredClone(document);
    broken.paths['/api/courses']!['get']!['responses'] = { 200: {} };
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  test('OpenAPI 3.0 §4.7.30: an anonymous operation takes a token with its scope, or none', () => {
    expect(document.paths['/api/courses']!['get']!['security']).toEqual([{ oauth2: ['courses:read'] }, {}]);
  });

  test('the examples of errors fit the schema of errors', () => {
    const ajv = new Ajv({ strict: false });
    formats.default(ajv);
    const fits = ajv.compile({ ...document.components['schemas']!['Error']!, components: document.components });
    const examples = Object.values(document.components['examples']!);
    expect(examples.length).toBeGreaterThan(5);
    for (const { value } of examples) expect([value, fits(value)]).toEqual([value, true]);
    expect(fits({ error: 'unheard_of' })).toBe(false);
  });
});
