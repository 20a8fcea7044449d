import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MediaUnderTest, png, sha256, startMedia } from '../testing.ts';

let media: MediaUnderTest;
beforeAll(async () => void (media = await startMedia({ quota: 1 })));
afterAll(() => media.close());

const file = { filename: 'me.png', content_type: 'image/png', size: png.length, sha256: sha256(png) };

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the answer by asserting it
const ask = (kind: string, commit: string, more: object = {}, member = 'account_1'): Promise<any> =>
  media.started.answer!({ kind, school: 'school_1', member, commit, ...more });

/** Announces an avatar and sends its bytes; gives its id. */
async function sent(commit: string, body: Buffer = png): Promise<string> {
  const announced = { file: { ...file, size: body.length, sha256: sha256(body) } };
  const { upload } = await ask('announce-avatar', commit, announced);
  expect((await media.bytes(upload.upload.url, { method: 'PUT', body })).status).toBe(204);
  return upload.id;
}

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

  test('is no larger than 2 MiB, an image, and within the quota', async () => {
    const refusal = async (more: object) =>
      (await ask('announce-avatar', 'wish-9', { file: { ...file, ...more } })).refused;
    expect(await refusal({ size: 2 * 1024 ** 2 + 1 })).toBe('payload_too_large');
    expect(await refusal({ content_type: 'application/pdf' })).toBe('unsupported_media_type');
    await media.announce(png, { purpose: 'lesson_video', content_type: 'video/mp4', size: 1024 ** 3 - 1_000 });
    expect(await refusal({ size: 2_000 })).toBe('quota_exceeded');
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
