import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fold } from '@lyceum/eventlog';
import { avatarList, avatarListOf } from '../avatar-lists/avatar-list.ts';
import { storageUse, storageUseStream } from '../storage-use/storage-use.ts';
import { type MediaUnderTest, png, sha256, startMedia } from '../testing.ts';

let media: MediaUnderTest;
beforeAll(async () => void (media = await startMedia({ quota: 1 })));
afterAll(() => media.close());

const file = { content_type: 'image/png', size: png.length, sha256: sha256(png) };

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the answer by asserting it
const ask = (kind: string, commit: string, more: object = {}, member = 'account_1'): Promise<any> =>
  media.started.answer!({ kind, school: 'school_1', member, commit, ...more });

/** Announces an avatar and sends its bytes; gives its id. */
async function sent(commit: string, body: Buffer = png, member?: string): Promise<string> {
  const announced = { file: { ...file, size: body.length, sha256: sha256(body) } };
  const { upload } = await ask('announce-avatar', commit, announced, member);
  expect((await media.bytes(upload.upload.url, { method: 'PUT', body })).status).toBe(204);
  return upload.id;
}

/** Bytes of the quota that are taken. */
const used = async () => (await fold(media.log, storageUse, 'school_1', storageUseStream)).state.bytes;

/** The uploads of a person's avatars that are awaited or have a file. */
const presentOf = async (member: string) =>
  (await fold(media.log, avatarList, 'school_1', avatarListOf(member))).state.present.map(({ id }) => id);

describe('the avatar that a member uploads', () => {
  test('is announced once for a wish, is public, and is ready when its bytes are an image', async () => {
    const first = await ask('announce-avatar', 'wish-1', { file, fingerprint: 'a' });
    expect(first.upload).toMatchObject({ purpose: 'avatar', access: 'public', state: 'requested' });
    expect((await ask('announce-avatar', 'wish-1', { file, fingerprint: 'a' })).upload.id).toBe(first.upload.id);
    expect(await ask('announce-avatar', 'wish-1', { file, fingerprint: 'b' })).toMatchObject({
      refused: 'idempotency_key_reused',
    });
    const upload = await sent('wish-2');
    const done = await ask('complete-avatar', 'wish-3', { upload });
    expect(done.upload).toMatchObject({ id: upload, state: 'ready', url: expect.stringContaining(upload) });
    expect((await ask('complete-avatar', 'wish-4', { upload })).upload.state).toBe('ready');
  });

  test('is refused while bytes are missing, and rejected when they are no image', async () => {
    const { upload } = await ask('announce-avatar', 'wish-5', { file });
    expect(await ask('complete-avatar', 'wish-6', { upload: upload.id })).toMatchObject({ refused: 'size_mismatch' });
    const page = await sent('wish-7', Buffer.from('<html><script>alert(1)</script></html>'));
    expect((await ask('complete-avatar', 'wish-8', { upload: page })).upload).toMatchObject({ state: 'rejected' });
  });

  test('is no larger than 2 MiB, and an image', async () => {
    const refusal = async (more: object) =>
      (await ask('announce-avatar', 'wish-9', { file: { ...file, ...more } })).refused;
    expect(await refusal({ size: 2 * 1024 ** 2 + 1 })).toBe('payload_too_large');
    expect(await refusal({ content_type: 'application/pdf' })).toBe('unsupported_media_type');
  });

  test('is refused once nine tenths of the quota are taken: the rest is the staff’s', async () => {
    const size = Math.floor(1024 ** 3 * 0.9) - 100_000;
    const { body: video } = await media.announce(png, { purpose: 'lesson_video', content_type: 'video/mp4', size });
    const sized = (bytes: number) => ask('announce-avatar', `wish-of-${bytes}`, { file: { ...file, size: bytes } });
    expect((await sized(200_000)).refused).toBe('quota_exceeded');
    expect((await media.announce(png, { size: 200_000 })).status).toBe(201);
    expect((await sized(2_000)).refused).toBe('quota_exceeded');
    await media.call('DELETE', `/api/storage/uploads/${video.id}`);
    expect((await sized(3_000)).upload).toMatchObject({ state: 'requested' });
  });

  test('is called after its type, and kept by caches for minutes: what a member calls it may name them', async () => {
    const named = { ...file, filename: 'Ada Byron.png' };
    await expect(ask('announce-avatar', 'wish-named', { file: named }, 'account_named')).rejects.toThrow('filename');
    const id = await sent('wish-unnamed', png, 'account_named');
    await ask('complete-avatar', 'wish-shown', { upload: id }, 'account_named');
    const { status, headers } = await media.bytes(`/media/public/${id}`);
    expect([status, headers.get('content-disposition')]).toEqual([200, 'inline; filename="avatar.png"']);
    expect(headers.get('cache-control')).toBe('public, max-age=300, no-transform');
  });

  test('is one that is awaited: the next announcement ends it, and frees its part of the quota', async () => {
    const member = 'account_again';
    const first = await sent('again-1', png, member);
    await ask('complete-avatar', 'again-2', { upload: first }, member);
    const second = (await ask('announce-avatar', 'again-3', { file }, member)).upload.id;
    const before = await used();
    const third = (await ask('announce-avatar', 'again-4', { file }, member)).upload.id;
    expect([await used(), await presentOf(member)]).toEqual([before, [first, third]]);
    expect(await ask('complete-avatar', 'again-5', { upload: second }, member)).toMatchObject({ refused: 'not_found' });
    expect((await ask('announce-avatar', 'again-3', { file }, member)).refused).toBe('not_found');
    expect(await presentOf(member)).toEqual([first, third]);
    const racing = ['a', 'b', 'c'].map((wish) => ask('announce-avatar', `again-${wish}`, { file }, member));
    const all = (await Promise.all(racing)).flatMap(({ upload }) => upload?.id ?? []);
    const present = await presentOf(member);
    expect(present).toHaveLength(2);
    expect([first, ...all]).toEqual(expect.arrayContaining([...present]));
  });

  test('is announced 10 times in 24 hours; a repeated wish counts once', async () => {
    const wish = (count: number) => ask('announce-avatar', `often-${count}`, { file }, 'account_often');
    for (let count = 1; count <= 10; count += 1) expect((await wish(count)).upload).toBeDefined();
    expect((await wish(10)).upload).toBeDefined();
    const beyond = await wish(11);
    expect(beyond).toMatchObject({ refused: 'rate_limited', retry_after: 86_400 });
    media.clock.advance(86_400_000);
    expect((await wish(11)).upload).toBeDefined();
  });

  test('is nobody’s but the member’s: other members, and files for something else, are not found', async () => {
    const upload = await sent('wish-10');
    expect(await ask('complete-avatar', 'wish-11', { upload }, 'account_2')).toMatchObject({ refused: 'not_found' });
    const as = { role: 'lecturer', subject: 'account_1', scopes: ['storage:write'] } as const;
    const cover = (await media.announce(png, {}, { as })).body.id;
    expect(await ask('complete-avatar', 'wish-12', { upload: cover })).toMatchObject({ refused: 'not_found' });
    const elsewhere = media.started.answer!({
      kind: 'complete-avatar',
      school: 'school_2',
      member: 'account_1',
      commit: 'wish-13',
      upload,
    });
    expect(await elsewhere).toMatchObject({ refused: 'not_found' });
  });
});
