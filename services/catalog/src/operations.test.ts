import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isErrorCode } from '@lyceum/contracts';
import { type Catalog, catalogOperations as operations, fileIds, startCatalog } from './testing.ts';

/** The areas of which there is something to read here. */
const areas = ['courses', 'curriculum', 'lecturers', 'digital_products'];
const reads = operations.filter(({ method, area }) => method === 'GET' && areas.includes(area));

interface Parts {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
}
interface Schema {
  readonly def: object;
  meta(): Readonly<Record<string, unknown>> | undefined;
}

/** The names of all fields of a schema, at any depth, that are marked for more than the public. */
function hiddenIn(schema: Schema): readonly string[] {
  const { shape = {}, innerType, element, options = [] } = schema.def as Parts;
  const marked = Object.entries(shape).filter(([, field]) => field.meta()?.['sees'] !== undefined);
  const inner = [...Object.values(shape), ...options, ...(innerType ? [innerType] : []), ...(element ? [element] : [])];
  return [...marked.map(([name]) => name), ...inner.flatMap(hiddenIn)];
}

/** The names of all fields of an answer, at any depth. */
const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(namesIn)]
    : [];

let catalog: Catalog;
const ids: Record<string, string> = {};
beforeAll(async () => {
  catalog = await startCatalog();
  const send = async (method: string, path: string, body?: object) => {
    const got = await catalog.call(method, path, body ? { body } : {});
    expect(got.status).toBeLessThan(300);
    return got.body;
  };
  const lecturer = await send('POST', '/api/lecturers', { display_name: 'Ana', contact_email: 'ana@example.test' });
  const course = await catalog.create({
    title: 'Public',
    lecturer_ids: [lecturer.id],
    internal_note: 'staff',
    seat_limit: 3,
  });
  const at = `/api/courses/${course.id}`;
  const lesson = await send('POST', `${at}/lessons`, { section_id: 'section_1', title: 'A preview', preview: true });
  await send('POST', `${at}/lessons/${lesson.id}/publish`);
  await send('POST', `${at}/publish`);
  const product = await send('POST', '/api/digital_products', { title: 'Public', download_limit: 2 });
  const file = { file_id: fileIds.product, name: 'a.pdf' };
  await send('PUT', `/api/digital_products/${product.id}/files`, { files: [file] });
  await send('POST', `/api/digital_products/${product.id}/publish`);
  Object.assign(ids, { course: course.id, lecturer: lecturer.id, product: product.id, lesson: lesson.id });
  await catalog.settled();
});
afterAll(() => catalog.close());

describe('the operations of the catalogue', () => {
  test('have names of their own', () => expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length));

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s says what it does, needs a scope of its area, and has a valid example for its body',
    (_, { area, summary, description, scope, method, body, errors = [] }) => {
      expect(summary.length * description!.length).toBeGreaterThan(0);
      expect(scope).toBe(`${area}:${method === 'GET' ? 'read' : 'write'}`);
      expect(errors.every(isErrorCode)).toBe(true);
      if (body) expect(body.safeParse(body.meta()?.['example'])).toMatchObject({ success: true });
    },
  );
});

describe('without a token', () => {
  test('every read of the catalogue is there to be asked', () => expect(reads.map(({ id }) => id)).toHaveLength(9));

  test.each(reads.map((operation) => [operation.id, operation] as const))(
    '%s shows no field that its schema keeps from the public',
    async (id, { path, reply }) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
      const { status, body } = await catalog.call('GET', address, { as: 'anonymous' });
      // Readiness is for those who may change the course.
      expect([id, status]).toEqual([id, id === 'getCourseReadiness' ? 404 : 200]);
      const hidden = new Set(hiddenIn(reply as unknown as Schema));
      expect(namesIn(body).filter((name) => hidden.has(name))).toEqual([]);
      expect(JSON.stringify(body)).not.toMatch(/internal_note|ana@example|upload_|answers/);
    },
  );

  test('every write is 403 access_denied, without a challenge', async () => {
    for (const { method, path } of operations.filter(({ method }) => method !== 'GET')) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'any');
      const { status, body, headers } = await catalog.call(method, address, { as: 'anonymous' });
      expect([path, status, body.error]).toEqual([path, 403, 'access_denied']);
      expect(headers.has('www-authenticate')).toBe(false);
    }
  });
});
