import { expect, test } from '@jest/globals';
import { incomingFromMessage, memoryDocuments, projector } from '@lyceum/documents';
import { schoolProjection, timezoneOf } from './known-schools.ts';

test('the time zone of a school is the one that it gave itself last', async () => {
  const documents = memoryDocuments();
  await documents.open(schoolProjection.collection);
  const { handle } = projector({ documents, projection: schoolProjection, source: 'school' });
  const known: string[] = [await timezoneOf({ documents }, 'school_1')];
  const told = [{ timezone: 'Europe/Lisbon' }, { name: 'Other' }, { timezone: 'Asia/Tokyo' }];
  for (const [index, data] of told.entries()) {
    const position = index + 1;
    const type = index === 0 ? 'SchoolProvisioned' : 'SchoolChanged';
    const fact = { type, schema: 1, subject: 'school_1', version: position, data };
    const at = '2026-01-05T08:00:00.000Z';
    await handle(0, [incomingFromMessage({ tenant: 'school_1', position, previous: index, at, facts: [fact] })]);
    known.push(await timezoneOf({ documents }, 'school_1'));
  }
  expect(known).toEqual(['UTC', 'Europe/Lisbon', 'Europe/Lisbon', 'Asia/Tokyo']);
});
