import { expect, test } from '@jest/globals';
import { rowAs } from '@lyceum/documents';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { media as module } from '../module.ts';
import { type MediaUnderTest, png, startMedia } from '../testing.ts';
import { endUploads } from '../keeping/file.cleaning.ts';
import { uploadOf } from './upload.projection.ts';

const schools = ['school_1', 'school_2'] as const;

const step = fc.record({
  what: fc.constantFrom(
    ...([
      'announce',
      'announce',
      'complete',
      'complete',
      'mislabel',
      'delete',
      'reference',
      'release',
      'later',
    ] as const),
  ),
  school: fc.constantFrom(...schools),
  which: fc.nat({ max: 7 }),
  holder: fc.constantFrom('course_1', 'lesson_1'),
  days: fc.constantFrom(1, 7),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const first = { school: 'school_1', which: 0, holder: 'course_1', days: 7 } as const;

/** A file that something names, one that nothing does, and an upload whose bytes are awaited. */
const example: readonly Step[] = [
  { ...first, what: 'announce' },
  { ...first, what: 'complete' },
  { ...first, what: 'reference' },
  { ...first, what: 'later' },
  { ...first, what: 'announce' },
  { ...first, what: 'complete', which: 1 },
  { ...first, what: 'announce' },
];

/** The service, and what was announced in each school so far. */
interface Media extends MediaUnderTest {
  readonly announced: Readonly<Record<(typeof schools)[number], { readonly id: string; readonly url: string }[]>>;
}

async function perform(media: Media, { what, school, which, holder: holder_id, days }: Step) {
  const all = media.announced[school];
  const { id, url } = all[which % all.length] ?? { id: 'upload_none', url: '/media/none' };
  const path = `/api/storage/uploads/${id}`;
  switch (what) {
    case 'announce': {
      const { body } = await media.announce(png, {}, { school });
      return all.push({ id: body.id, url: body.upload.url });
    }
    case 'complete':
      await media.bytes(url, { method: 'PUT', body: png, school });
      return media.call('POST', `${path}/complete`, { school });
    case 'mislabel':
      return media.upload(Buffer.from('<html></html>'), {}, { school });
    case 'delete':
      return media.call('DELETE', path, { school });
    case 'reference':
    case 'release': {
      const type = what === 'reference' ? 'FileReferenced' : 'FileReleased';
      return media.publish('catalog', { type, data: { file_id: id, holder_id }, school });
    }
    case 'later':
      media.clock.advance(days * 86_400_000);
      return endUploads(media.ports);
  }
}

test('projections rebuilt equal live: built anew from the log they say what they said when they followed', async () => {
  const seen = await expectRebuiltAlike({
    module,
    start: async (): Promise<Media> => ({ ...(await startMedia()), announced: { school_1: [], school_2: [] } }),
    step,
    example,
    perform,
    tenants: () => schools,
  });
  const rows = Object.values(seen['ending-uploads'] ?? {});
  expect(new Set(rows.map((row) => uploadOf(row).state))).toEqual(new Set(['requested', 'ready']));
  expect(new Set(rows.map((row) => rowAs<{ ends_at?: string }>(row).ends_at !== undefined)).size).toBe(2);
}, 120_000);
