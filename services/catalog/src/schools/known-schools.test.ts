import { describe, expect, test } from '@jest/globals';
import { incomingFromMessage, memoryDocuments, projector } from '@lyceum/documents';
import { currencyOf, schoolProjection, timezoneOf } from './known-schools.ts';

const message = (tenant: string, position: number, type: string, data: object) => ({
  tenant,
  position,
  previous: position - 1,
  at: '2026-01-05T08:00:00.000Z',
  facts: [{ type, schema: 1, subject: tenant, version: position, data }],
});

const provisioned = { slug: 's', name: 'S', host: 'h', base_url: 'b', currency: 'JPY', locale: 'en', timezone: 'UTC' };

describe('what the catalog knows of schools', () => {
  test('is the currency, once the school was provisioned, each school its own', async () => {
    const documents = memoryDocuments();
    await documents.open(schoolProjection.collection);
    const start = () => projector({ documents, projection: schoolProjection, source: 'school' });
    await start().handle(0, [incomingFromMessage(message('school_1', 1, 'SchoolProvisioned', provisioned))]);
    await start().handle(0, [incomingFromMessage(message('school_1', 2, 'SchoolMoved', { host: 'x', base_url: 'y' }))]);
    const euro = { ...provisioned, currency: 'EUR' };
    await start().handle(0, [incomingFromMessage(message('school_2', 3, 'SchoolProvisioned', euro))]);
    expect(await start().from(0)).toEqual({ position: 3 });
    expect(await currencyOf(documents, 'school_1')).toBe('JPY');
    expect(await currencyOf(documents, 'school_2')).toBe('EUR');
  });

  test('is the currency and the time zone that the school gave itself last, whatever else it changes', async () => {
    const documents = memoryDocuments();
    await documents.open(schoolProjection.collection);
    const { handle } = projector({ documents, projection: schoolProjection, source: 'school' });
    const told = [provisioned, { name: 'T' }, { currency: 'CHF' }, { timezone: 'Asia/Tokyo' }];
    const types = ['SchoolProvisioned', 'SchoolChanged', 'SchoolChanged', 'SchoolChanged'];
    const known: string[] = [];
    for (const [index, data] of told.entries()) {
      await handle(0, [incomingFromMessage(message('school_1', index + 1, types[index]!, data))]);
      known.push(`${await currencyOf(documents, 'school_1')} ${await timezoneOf({ documents }, 'school_1')}`);
    }
    expect(known).toEqual(['JPY UTC', 'JPY UTC', 'CHF UTC', 'CHF Asia/Tokyo']);
  });

  test('is nothing before: then a price cannot be judged, and the answer is 503', async () => {
    const documents = memoryDocuments();
    await documents.open(schoolProjection.collection);
    await expect(currencyOf(documents, 'school_1')).rejects.toMatchObject({
      status: 503,
      code: 'temporarily_unavailable',
      headers: { 'Retry-After': '1' },
    });
  });
});
