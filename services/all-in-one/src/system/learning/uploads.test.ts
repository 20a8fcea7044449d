import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Client, type Place, call, describeTopologiesIfLong, loopbackFetch, until } from '@lyceum/testkit';

/** A file of a school on its way through the real gateway and back. */
await describeTopologiesIfLong('files', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let token: string;
  const scopes =
    'storage:write courses:read courses:write curriculum:read curriculum:write digital_products:read digital_products:write students:write';
  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    token = (await client.tokens('owner@lantern.test', system.password, scopes)).access_token;
  }, 400_000);
  afterAll(() => close());

  test('more than any other body may have goes in two parts to the disk, and comes back whole and in ranges', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'the same words again and again\n');
    const sha256 = createHash('sha256').update(body).digest('hex');
    const size = body.length;
    const json = { purpose: 'lesson_file', filename: 'words.txt', content_type: 'text/plain', size, sha256 };
    const uploads = `${system.baseUrl}/api/storage/uploads`;
    const made = await call(uploads, { token, json });
    expect(made.status).toBe(201);
    const { id, upload } = made.body;
    const half = size / 2;
    for (const first of [0, half]) {
      const put = await loopbackFetch(upload.url, {
        method: 'PUT',
        body: body.subarray(first, first + half),
        headers: { 'content-range': `bytes ${first}-${first + half - 1}/${size}` },
      });
      expect([put.status, put.headers.get('upload-offset')]).toEqual([204, String(first + half)]);
    }
    const done = await call(`${uploads}/${id}/complete`, { method: 'POST', token });
    expect(done.body).toMatchObject({ state: 'ready', content_type: 'text/plain' });
    const read = await loopbackFetch(done.body.url, { headers: { 'accept-encoding': 'gzip, br' } });
    expect([read.status, read.headers.get('content-encoding')]).toEqual([200, null]);
    expect(Buffer.from(await read.arrayBuffer()).equals(body)).toBe(true);
    const part = await loopbackFetch(done.body.url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'same']);
    const elsewhere = done.body.url.replace(system.baseUrl, system.northQuayUrl);
    expect((await loopbackFetch(elsewhere)).status).toBe(404);
    expect((await call(`${uploads}/${id}`, { method: 'DELETE', token })).status).toBe(204);
    expect((await loopbackFetch(done.body.url)).status).toBe(404);
  });

  /** Announces, sends and completes. */
  async function upload(purpose: string, content_type: string, body: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const json = { purpose, filename: 'a file', content_type, size: body.length, sha256 };
    const made = await call(`${system.baseUrl}/api/storage/uploads`, { token, json });
    expect((await loopbackFetch(made.body.upload.url, { method: 'PUT', body })).status).toBe(204);
    const done = await call(`${system.baseUrl}/api/storage/uploads/${made.body.id}/complete`, {
      method: 'POST',
      token,
    });
    expect(done.body.state).toBe('ready');
    return made.body.id;
  }

  test('a course shows its cover to everybody and the file of a lesson to those who may read it; both stay while they are named', async () => {
    const api = `${system.baseUrl}/api`;
    const cover = await upload('cover', 'image/png', png);
    const handout = await upload('lesson_file', 'text/plain', Buffer.from('what is handed out'));
    const course = await call(`${api}/courses`, { token, json: { title: 'With files', cover } });
    expect(course.body.cover).toBe(`${system.baseUrl}/media/public/${cover}`);
    expect(Buffer.from(await (await loopbackFetch(course.body.cover)).arrayBuffer()).equals(png)).toBe(true);
    const at = `${api}/courses/${course.body.id}`;
    const section = await call(`${at}/sections`, { token, json: { title: 'One' } });
    const file = { file_id: handout, name: 'handout.txt' };
    const lesson = await call(`${at}/lessons`, { token, json: { section_id: section.body.id, title: 'One', file } });
    expect(lesson.body.file).toMatchObject({ size: 18, type: 'text/plain' });
    expect(await (await loopbackFetch(lesson.body.file.url)).text()).toBe('what is handed out');
    expect((await loopbackFetch(`${lesson.body.file.url}x`)).status).toBe(404);
    const remove = (id: string) => call(`${api}/storage/uploads/${id}`, { method: 'DELETE', token });
    for (const id of [cover, handout]) expect((await remove(id)).body.error).toBe('in_use');
    expect((await call(at, { method: 'DELETE', token })).status).toBe(204);
    let left = [cover, handout];
    await until(async () => {
      const removed = await Promise.all(left.map(async (id) => (await remove(id)).status === 204));
      left = left.filter((_, index) => !removed[index]);
      return left.length === 0;
    }, 'their end');
  });

  test('a free product is downloaded by a member from an address that is nobody’s at another school, or altered', async () => {
    const api = `${system.baseUrl}/api`;
    const file_id = await upload('product_file', 'text/plain', Buffer.from('what one gets'));
    const product = await call(`${api}/digital_products`, { token, json: { title: 'To take', download_limit: 2 } });
    const at = `${api}/digital_products/${product.body.id}`;
    const files = [{ file_id, name: 'templates.txt' }];
    expect((await call(`${at}/files`, { method: 'PUT', token, json: { files } })).status).toBe(200);
    expect((await call(`${at}/publish`, { method: 'POST', token })).status).toBe(200);
    const client = await Client.register(system.baseUrl);
    const member = await client.tokens('student@lantern.test', system.password, 'account:read account:write');
    const json = { product_id: product.body.id, file_id };
    const download = () => call(`${api}/account/downloads`, { token: member.access_token, json });
    const got = await download();
    expect([got.status, got.body.downloads_left]).toEqual([201, 1]);
    const read = await loopbackFetch(got.body.url);
    expect([await read.text(), read.headers.get('content-disposition')]).toEqual([
      'what one gets',
      expect.stringMatching(/^attachment/),
    ]);
    expect((await loopbackFetch(got.body.url.replace(system.baseUrl, system.northQuayUrl))).status).toBe(404);
    expect((await loopbackFetch(`${got.body.url}x`)).status).toBe(404);
    expect((await call(`${api}/account/downloads`, { json })).body.error).toBe('access_denied');
    expect((await download()).body.downloads_left).toBe(0);
    expect((await download()).body.error).toBe('download_limit');
  });

  test('a member uploads an avatar of their own: the account and the staff see it, a public address shows it, and it goes again', async () => {
    const api = `${system.baseUrl}/api`;
    const client = await Client.register(system.baseUrl);
    const member = (await client.tokens('student@lantern.test', system.password, 'account:read account:write'))
      .access_token;
    const sha256 = createHash('sha256').update(png).digest('hex');
    const json = { content_type: 'image/png', size: png.length, sha256 };
    const made = await call(`${api}/account/avatar`, { token: member, json });
    expect([made.status, made.body.state]).toEqual([201, 'requested']);
    expect((await loopbackFetch(made.body.upload.url, { method: 'PUT', body: png })).status).toBe(204);
    const done = await call(`${api}/account/avatar/${made.body.id}/complete`, { method: 'POST', token: member });
    const address = `${system.baseUrl}/media/public/${made.body.id}`;
    expect(done.body).toMatchObject({ state: 'ready', avatar: address });
    const account = await call(`${api}/account`, { token: member });
    expect(account.body.avatar).toBe(address);
    expect(Buffer.from(await (await loopbackFetch(address)).arrayBuffer()).equals(png)).toBe(true);
    expect((await call(`${api}/account/avatar`, { method: 'DELETE', token: member })).status).toBe(204);
    expect((await call(`${api}/account`, { token: member })).body.avatar).toBeNull();
  });
});

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63000100000500010d0a2db40000000049454e44ae426082',
  'hex',
);
