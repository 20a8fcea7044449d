import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, call, loopbackFetch, startSystem, until } from '@lyceum/testkit';

const body = Buffer.alloc(512 * 1024, 'the same words again and again\n');

test('kill -9 in the middle of an upload: what arrived is there, it goes on behind it, and nothing else is left', async () => {
  const first = await startSystem();
  const { dataDir, port, baseUrl, password } = first;
  const uploads = `${baseUrl}/api/storage/uploads`;
  const client = await Client.register(baseUrl);
  const { access_token: token } = await client.tokens('owner@lantern.test', password, 'storage:write');
  const size = body.length;
  const sha256 = createHash('sha256').update(body).digest('hex');
  const json = { purpose: 'lesson_file', filename: 'words.txt', content_type: 'text/plain', size, sha256 };
  const { id, upload } = (await call(uploads, { token, json })).body;
  const slow = request(upload.url, { method: 'PUT', headers: { 'content-length': size } });
  slow.on('error', () => undefined);
  slow.write(body.subarray(0, 200_000));
  const received = async () => (await call(`${uploads}/${id}`, { token })).body.received as number;
  await until(async () => (await received()) >= 200_000, 'what was sent');
  await first.kill();

  const second = await startSystem({ dataDir, port });
  try {
    expect(await received()).toBe(200_000);
    expect((await call(`${uploads}/${id}/complete`, { method: 'POST', token })).body.error).toBe('size_mismatch');
    const headers = { 'content-range': `bytes 200000-${size - 1}/${size}` };
    const rest = await loopbackFetch(upload.url, { method: 'PUT', body: body.subarray(200_000), headers });
    expect(rest.status).toBe(204);
    expect((await call(`${uploads}/${id}/complete`, { method: 'POST', token })).body.state).toBe('ready');
    const files = await readdir(join(dataDir, 'files'), { recursive: true });
    expect(files.filter((name) => name.includes('upload_')).map((name) => name.split('/').slice(1).join('/'))).toEqual([
      `files/${id}`,
    ]);
  } finally {
    await second.stop();
  }
});
