import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type MediaUnderTest, png, sha256, startMedia } from '../testing.ts';
import { endUploads } from '../keeping/file.cleaning.ts';
import { uploadRejections } from './upload.write.ts';

let media: MediaUnderTest;
beforeAll(async () => void (media = await startMedia({ quota: 1 })));
afterAll(() => media.close());

const path = '/api/storage/uploads';
const scopes = ['storage:write'];
const callers = {
  anonymous: 'anonymous',
  member: { role: 'member', subject: 'acc_member', scopes: ['courses:read'] },
  'member with a forged scope': { role: 'member', subject: 'acc_member', scopes },
  'lecturer own': { role: 'lecturer', subject: 'acc_lecturer', scopes },
  'lecturer other': { role: 'lecturer', subject: 'acc_other', scopes },
  'admin without the scope': { role: 'admin', subject: 'acc_admin', scopes: ['courses:write'] },
  admin: { role: 'admin', subject: 'acc_admin', scopes },
  owner: { role: 'owner', subject: 'acc_owner', scopes },
} as const satisfies Record<string, TokenClaims | 'anonymous'>;
const lecturer = callers['lecturer own'];

/** [request, get, complete, delete] as each caller is answered about an upload of the lecturer. */
const answers: Readonly<Record<keyof typeof callers, readonly (number | string)[]>> = {
  anonymous: ['access_denied', 'not_found', 'access_denied', 'access_denied'],
  member: ['insufficient_scope', 'insufficient_scope', 'insufficient_scope', 'insufficient_scope'],
  'member with a forged scope': ['access_denied', 'access_denied', 'access_denied', 'access_denied'],
  'lecturer own': [201, 200, 200, 204],
  'lecturer other': [201, 'not_found', 'not_found', 'not_found'],
  'admin without the scope': ['insufficient_scope', 'insufficient_scope', 'insufficient_scope', 'insufficient_scope'],
  admin: [201, 200, 200, 204],
  owner: [201, 200, 200, 204],
};

const got = ({ status, body }: { status: number; body: { error?: string } | undefined }) => body?.error ?? status;

/** Waits until something is so: effects of events come a moment later. */
async function soon(check: () => Promise<boolean>): Promise<void> {
  for (let left = 200; left > 0 && !(await check()); left -= 1) await delay(10);
  expect(await check()).toBe(true);
}

describe('who may do what with an upload of a lecturer', () => {
  test.each(Object.keys(callers) as (keyof typeof callers)[])('%s', async (name) => {
    const as = callers[name];
    const { body: made } = await media.announce(png, {}, { as: lecturer });
    await media.bytes(made.upload.url, { method: 'PUT', body: png });
    expect([
      got(await media.announce(png, {}, { as })),
      got(await media.call('GET', `${path}/${made.id}`, { as })),
      got(await media.call('POST', `${path}/${made.id}/complete`, { as })),
      got(await media.call('DELETE', `${path}/${made.id}`, { as })),
    ]).toEqual(answers[name]);
  });

  test('another school knows of none of them', async () => {
    const ready = await media.upload(png);
    const school = 'school_2';
    for (const [method, at] of [
      ['GET', ''],
      ['POST', '/complete'],
      ['DELETE', ''],
    ] as const)
      expect(got(await media.call(method, `${path}/${ready.id}${at}`, { school }))).toBe('not_found');
    expect((await media.bytes(ready.url, { school })).status).toBe(404);
    expect((await media.bytes(ready.url)).status).toBe(200);
  });
});

describe('uploads', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(uploadRejections)).toEqual([]));

  test('are announced, sent, completed and read', async () => {
    const announced = await media.announce(png);
    expect(announced).toMatchObject({
      status: 201,
      body: { state: 'requested', received: 0, url: null, view: 'staff' },
    });
    expect(announced.headers.get('location')).toBe(`${path}/${announced.body.id}`);
    const put = await media.bytes(announced.body.upload.url, { method: 'PUT', body: png });
    expect([put.status, put.headers.get('upload-offset')]).toEqual([204, String(png.length)]);
    const done = await media.call('POST', `${path}/${announced.body.id}/complete`);
    expect(done.body).toMatchObject({ state: 'ready', content_type: 'image/png', upload: null, access: 'public' });
    const again = await media.call('POST', `${path}/${announced.body.id}/complete`);
    expect(again.body).toEqual(done.body);
    const file = await media.bytes(done.body.url);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
    expect('created_by' in done.body).toBe(false);
  });

  test('are refused before a byte is sent when they are too large or of another type', async () => {
    expect(got(await media.announce(png, { size: 11 * 1024 * 1024 }))).toBe('payload_too_large');
    expect(got(await media.announce(png, { content_type: 'text/html' }))).toBe('unsupported_media_type');
    expect(got(await media.announce(png, { content_type: 'image/svg+xml' }))).toBe('unsupported_media_type');
    for (const wrong of [{ size: 0 }, { size: 1.5 }, { sha256: 'x' }, { purpose: 'other' }, { filename: 'a\u0000b' }])
      expect((await media.announce(png, wrong)).status).toBe(422);
  });

  test('409 size_mismatch and checksum_mismatch; they can be sent again', async () => {
    const other = Buffer.concat([png.subarray(0, -1), Buffer.from([0])]);
    const { body: made } = await media.announce(png);
    const complete = async () => got(await media.call('POST', `${path}/${made.id}/complete`));
    expect(await complete()).toBe('size_mismatch');
    await media.bytes(made.upload.url, { method: 'PUT', body: other });
    expect(await complete()).toBe('checksum_mismatch');
    expect(await complete()).toBe('size_mismatch');
    await media.bytes(made.upload.url, { method: 'PUT', body: png });
    expect(await complete()).toBe(200);
  });

  test('the content decides: a page under the name of an image is rejected and its bytes go', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    const rejected = await media.upload(page, { filename: 'cover.png', content_type: 'image/png' });
    expect(rejected).toMatchObject({
      state: 'rejected',
      reason: 'The content is text/plain, which a cover may not be',
    });
    await soon(async () => (await media.bytes(`/media/public/${rejected.id}`)).status === 404);
    const jpeg = await media.upload(png, { content_type: 'image/jpeg' });
    expect(jpeg).toMatchObject({ state: 'ready', content_type: 'image/png' });
  });

  test('507 quota_exceeded: what is announced counts until it ends, in the school only', async () => {
    const school = 'school_2';
    const large = { purpose: 'lesson_video', content_type: 'video/mp4', size: 600 * 1024 * 1024 };
    const { body: first } = await media.announce(png, large, { school });
    const refused = await media.announce(png, large, { school });
    expect(refused).toMatchObject({ status: 507, body: { error: 'quota_exceeded' } });
    expect((await media.call('DELETE', `${path}/${first.id}`, { school })).status).toBe(204);
    // Of many at once, as many get in as there is room for.
    const racing = await Promise.all(Array.from({ length: 5 }, () => media.announce(png, large, { school })));
    expect(racing.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of racing)
      if (status === 201) await media.call('DELETE', `${path}/${body.id}`, { school });
  });

  test('507 quota_exceeded: of 50 at the same moment no more get in than there is room for, and the room is used', async () => {
    const engine = await startMedia({ quota: 1 });
    const tenth = { purpose: 'lesson_video', content_type: 'video/mp4', size: Math.floor(1024 ** 3 / 10) };
    const racing = await Promise.all(Array.from({ length: 50 }, () => engine.announce(png, tenth)));
    for (const each of racing) expect(['quota_exceeded', 'temporarily_unavailable', 201]).toContain(got(each));
    let made = racing.filter(({ status }) => status === 201).length;
    for (; (await engine.announce(png, tenth)).status === 201;) made += 1;
    expect(made).toBe(10);
    await engine.close();
  });

  test('that are deleted are gone for everybody', async () => {
    const ready = await media.upload(png);
    expect((await media.call('DELETE', `${path}/${ready.id}`)).status).toBe(204);
    expect(got(await media.call('GET', `${path}/${ready.id}`))).toBe('not_found');
    expect((await media.bytes(ready.url)).status).toBe(404);
    expect(got(await media.call('DELETE', `${path}/${ready.id}`))).toBe('not_found');
  });

  test('expire after a day, and give their part of the quota back', async () => {
    const engine = await startMedia({ quota: 1 });
    const half = { purpose: 'lesson_video', content_type: 'video/mp4', size: 700 * 1024 * 1024 };
    const { body: made } = await engine.announce(png, half);
    engine.clock.advance(24 * 3_600_000 + 1);
    expect((await engine.bytes(made.upload.url, { method: 'PUT', body: png })).status).toBe(410);
    await engine.settled();
    await endUploads(engine.ports);
    expect((await engine.call('GET', `${path}/${made.id}`)).body).toMatchObject({ state: 'expired', upload: null });
    expect((await engine.announce(png, half)).status).toBe(201);
    await engine.close();
  });

  test('a repeated request with the same Idempotency-Key makes one upload', async () => {
    const headers = { 'Idempotency-Key': 'one-upload' };
    const [one, two] = [await media.announce(png, {}, { headers }), await media.announce(png, {}, { headers })];
    expect([two.status, two.body.id]).toEqual([201, one.body.id]);
    expect(sha256(png)).toBe(two.body.sha256);
  });
});
