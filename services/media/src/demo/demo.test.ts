import { afterEach, describe, expect, test } from '@jest/globals';
import { demoFileId, demoFiles, demoImages, demoPdf, demoSchoolId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { rm } from 'node:fs/promises';
import { type MediaUnderTest, startMedia } from '../testing.ts';
import { uploadDecider } from '../uploads/upload.ts';
import { demoPng } from './demo-image.ts';

const [lantern, music] = [demoSchoolId('lantern-craft'), demoSchoolId('north-quay')];
const demo = { password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' };

describe('the files of the demo', () => {
  let media: MediaUnderTest | undefined;
  afterEach(async () => {
    await media?.close();
    if (media) await rm(media.directory, { recursive: true, force: true });
    media = undefined;
  });
  const stateOf = async (at: MediaUnderTest, school: string, name: string) =>
    (await fold(at.log, uploadDecider, school, demoFileId(school, name))).state;

  test('are sent and completed, twelve in one school and one in the other, and once', async () => {
    const at = (media = await startMedia());
    await at.started.seedDemoHistory?.(demo);
    const all = Object.entries(demoFiles).flatMap(([slug, files]) =>
      files.map((file) => ({ school: demoSchoolId(slug), file })),
    );
    expect(all.map(({ school }) => school).filter((school) => school === lantern)).toHaveLength(12);
    expect(all.map(({ school }) => school).filter((school) => school === music)).toHaveLength(1);
    for (const { school, file } of all) {
      const upload = await stateOf(at, school, file.name);
      expect(upload).toMatchObject({ state: 'ready', content_type: 'application/pdf', size: demoPdf(file).length });
    }
    for (const image of demoImages['lantern-craft']!) {
      const upload = await stateOf(at, lantern, image.name);
      expect(upload).toMatchObject({ state: 'ready', content_type: 'image/png', purpose: image.purpose });
    }
    const heads = () => Promise.all([lantern, music].map((school) => at.log.head(at.log.laneOf(school))));
    const before = await heads();
    await at.started.seedDemoHistory?.(demo);
    expect(await heads()).toEqual(before);
  });

  test('are left out where there is no room, and the rest of the demo goes on', async () => {
    const at = (media = await startMedia({ quota: 1e-6 }));
    await at.started.seedDemoHistory?.(demo);
    const states = await Promise.all(demoFiles['lantern-craft']!.map(({ name }) => stateOf(at, lantern, name)));
    expect(states.some((state) => state?.state === 'ready')).toBe(true);
    expect(states).toContain(null);
  });

  test('are small pictures, the same bytes every time', () => {
    const [image] = demoImages['lantern-craft']!;
    const png = demoPng(image!);
    expect([png.length < 60_000, png.equals(demoPng(image!))]).toEqual([true, true]);
  });

  test('say the same bytes every time, and parentheses as they are', () => {
    const pdf = demoPdf({ name: 'a', title: 'A (b) \\ c', lines: ['one'] });
    expect(pdf).toContain(String.raw`(A \(b\) \\ c) Tj`);
    const [, offset] = /startxref\n(\d+)/.exec(pdf)!;
    expect(pdf.slice(Number(offset), Number(offset) + 4)).toBe('xref');
    expect(demoPdf({ name: 'a', title: 'A (b) \\ c', lines: ['one'] })).toBe(pdf);
  });
});
