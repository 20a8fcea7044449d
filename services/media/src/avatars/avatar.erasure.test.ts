import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { join } from 'node:path';
import { erasureStream } from '@lyceum/kernel';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { LocalStore } from '../bytes/local-store.ts';
import { media as service } from '../module.ts';
import { type MediaUnderTest, png, sha256, startMedia } from '../testing.ts';

let media: MediaUnderTest;
let engines: Engines;
beforeAll(async () => void (media = await startMedia({ engines: (engines = enginesOf(service)) })));
afterAll(() => media.close());

const school = 'school_1';
const file = { content_type: 'image/png', size: png.length, sha256: sha256(png) };
let wishes = 0;

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the answer by asserting it
function ask(kind: string, member: string, more: object): Promise<any> {
  wishes += 1;
  return media.started.answer!({ kind, school, member, commit: `wish-${wishes}`, ...more });
}

/** A member announces an avatar of their own, and sends its bytes. */
async function sent(member: string): Promise<string> {
  const { upload } = await ask('announce-avatar', member, { file });
  expect((await media.bytes(upload.upload.url, { method: 'PUT', body: png })).status).toBe(204);
  return upload.id;
}

/** A member has an avatar of their own. */
async function shown(member: string): Promise<string> {
  const id = await sent(member);
  expect((await ask('complete-avatar', member, { upload: id })).upload.state).toBe('ready');
  return id;
}

/** One of the staff uploads an avatar. */
const uploadedBy = async (subject: string): Promise<string> => {
  const as = { role: 'admin', subject, scopes: ['storage:write'] } as const;
  return (await media.upload(png, { purpose: 'avatar' }, { as })).id;
};

const inUse = async (id: string) => (await media.call('GET', `/api/storage/uploads/${id}`)).body?.in_use;

/** The school service says that a member has a file as avatar; resolves once it is noted. */
async function named(file_id: string, holder_id: string): Promise<void> {
  await media.publish('school', { type: 'FileReferenced', data: { file_id, holder_id } });
  await until(() => inUse(file_id), 'the use of the file');
}

/** As erasing does it: the key first, then what follows for the service. */
async function erase(subject: string): Promise<void> {
  await media.ports.erase!(school, subject, { actor: 'system' });
  await media.started.erased!(school, subject);
}

const statusOf = async (id: string) => (await media.bytes(`/media/public/${id}`)).status;
const receivedOf = (id: string) => new LocalStore(join(media.directory, 'files')).received({ school, id });

describe('the avatars of a person who is erased', () => {
  test('end at once, also while something names them, and their bytes go; doing it again changes nothing', async () => {
    const member = 'account_gone';
    const id = await shown(member);
    await named(id, member);
    const pending = await sent(member);
    expect([await statusOf(id), await receivedOf(id), await receivedOf(pending)]).toEqual([
      200,
      png.length,
      png.length,
    ]);
    await erase(member);
    expect(await statusOf(id)).toBe(404);
    expect(await ask('complete-avatar', member, { upload: pending })).toMatchObject({ refused: 'not_found' });
    const left = async () => (await receivedOf(id)) + (await receivedOf(pending));
    await until(async () => (await left()) === 0, 'the end of their bytes');
    await erase(member);
    expect(await statusOf(id)).toBe(404);
    expect(await ask('announce-avatar', member, { file })).toMatchObject({ refused: 'erased' });
  });

  test('end by what the log says, though the read model of who uploaded what has been purged', async () => {
    const member = 'account_purged';
    const id = await shown(member);
    await engines.write(school, [{ stream: erasureStream(member), type: 'SubjectErased', data: { subject: member } }]);
    await media.settled();
    await erase(member);
    expect(await statusOf(id)).toBe(404);
  });

  test('are not those of other members: neither their own, nor what the person uploaded for them as one of the staff', async () => {
    const own = await shown('account_other');
    const given = await uploadedBy('account_admin');
    await named(given, 'account_other');
    const ofThemself = await uploadedBy('account_admin');
    await named(ofThemself, 'account_admin');
    await erase('account_admin');
    expect([await statusOf(own), await statusOf(given), await statusOf(ofThemself)]).toEqual([200, 200, 404]);
  });
});
