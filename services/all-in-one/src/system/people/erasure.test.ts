import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  Person,
  type System,
  type Tokens,
  approve,
  call,
  found,
  patience,
  startSystem,
  until,
} from '@lyceum/testkit';
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus, inForce } from '../../testing/in-force.ts';

const password = 'a canary sang at dawn';
const person = { email: 'Zebulon.Canary7431@birds.test', name: 'Zebulon Canarywing' };
const owner = 'Quetzal.Canary9962@birds.test';

/** The ways in which a text could lie in a file. */
function forms(text: string): readonly Buffer[] {
  const spellings = [text, text.toLowerCase()].map((spelling) => Buffer.from(spelling));
  return spellings.flatMap((bytes) => [
    bytes,
    Buffer.from(bytes.toString('utf8'), 'utf16le'),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('base64').replace(/=+$/, '')),
  ]);
}

const canaries = [person.email, 'zebulon.canary7431', person.name, 'Canarywing', owner, 'quetzal.canary9962'].flatMap(
  forms,
);

/** What a file holds; nothing where the running system removed it since the folder was listed. */
const bytesOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  });

/**
 * The files of a folder that hold a canary, relative to it; every byte of each file is looked at. Mails that were sent are
 * beyond reach, be it in a folder.
 */
async function singing(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('outbox/'));
  const found = files.map(async (file) => {
    const bytes = await bytesOf(join(folder, file));
    return canaries.some((canary) => bytes.includes(canary)) ? [file] : [];
  });
  return (await Promise.all(found)).flat().sort();
}

const isReadModel = (file: string): boolean => /^\w+\/documents\.db(-wal)?$/.test(file);

/** One story, told in order: a person joins, is erased, and nothing of them is left. */
describe('erasing a person', () => {
  let system: System;
  let backup: string;
  let school: string;
  let account: string;
  let client: Client;
  let tokens: Tokens;
  /** The address of what the person has earned, which bears their name. */
  let certificate: string;

  const operate = (path: string, json: unknown) =>
    call(`${system.operatorUrl}/internal${path}`, { method: 'POST', token: system.operatorToken, json });
  const erase = (subject: string, of: string) => operate(`/subjects/${subject}/erase`, { school: of });
  const enrol = (email: string) => operate('/accounts', { school, ...person, email, password });
  /** The owner of the new school is a person of it once the invitation is on its way. */
  const ownerInvited = async () => {
    const outbox = join(system.dataDir, 'outbox');
    const isInvited = async () => {
      const mails = await Promise.all(
        (await readdir(outbox).catch(() => [])).map((name) => bytesOf(join(outbox, name))),
      );
      return mails.some((mail) => mail.toString().toLowerCase().includes(owner.toLowerCase()));
    };
    await until(isInvited, 'an invitation');
  };
  const profile = () => call(`${system.baseUrl}/api/oauth/userinfo`, { token: tokens.access_token });

  /** What the school writes about the person, once it has heard of them. */
  const note = async (json: object) => {
    const staff = await client.tokens('owner@lantern.test', system.password, 'members:read members:write');
    const token = staff.access_token;
    const noted = () => call(`${system.baseUrl}/api/members/${account}`, { method: 'PATCH', token, json });
    await until(async () => (await noted()).status === 200, 'what the school writes');
  };

  /** The person learns a course to its end. */
  async function learnt(): Promise<string> {
    const scopes = 'courses:write curriculum:write lecturers:read';
    const staff = (await client.tokens('owner@lantern.test', system.password, scopes)).access_token;
    const send = async (path: string, json: object | undefined, token = staff, method = 'POST') => {
      const ask = () => call(`${system.baseUrl}/api${path}`, { method, token, ...(json ? { json } : {}) });
      // What one service has written is known to the others a moment later.
      const got = await inForce(patience, ask, ({ status }) => status < 300);
      if (got.status >= 300) throw new Error(`${path}: ${got.status} ${JSON.stringify(got.body)}`);
      return got.body;
    };
    const { data } = await send('/lecturers', undefined, staff, 'GET');
    const made = { title: 'Song', access: 'free', certificate: true, lecturer_ids: [data[0].id] };
    const { id } = await send('/courses', made);
    const section = await send(`/courses/${id}/sections`, { title: 'All' });
    const lesson = await send(`/courses/${id}/lessons`, { section_id: section.id, title: 'One', type: 'text' });
    await send(`/courses/${id}/lessons/${lesson.id}/publish`, undefined);
    await send(`/courses/${id}/publish`, undefined);
    const own = await send('/account/enrollments', { course_id: id }, tokens.access_token);
    const at = `/account/enrollments/${own.id}/lessons/${lesson.id}`;
    await send(at, { state: 'completed' }, tokens.access_token, 'PUT');
    return found(async () => {
      const earned = await send('/account/certificates', undefined, tokens.access_token, 'GET');
      return earned.data[0]?.url;
    }, 'a certificate');
  }

  beforeAll(async () => {
    system = await startSystem();
    backup = await mkdtemp(join(tmpdir(), 'lyceum-erasure-'));
    school = (await call(`${system.baseUrl}/api/school`)).body.id;
    const opened = await enrol(person.email);
    expect(opened.status).toBe(201);
    account = opened.body.id;
    client = await Client.register(system.baseUrl);
    tokens = await client.tokens(person.email, password, 'openid profile email account:read account:write');
    await note({ tags: ['Canarywing fan'], marketing_consent: { value: true, source: 'said by Zebulon Canarywing' } });
    certificate = await learnt();
  });
  afterAll(async () => {
    await system.stop();
    await rm(backup, { recursive: true });
  });

  test('before it, the person is known, and only read models hold anything of them in the clear', async () => {
    expect((await profile()).body).toMatchObject({ email: person.email, name: person.name });
    expect((await call(system.baseUrl + certificate)).body).toMatchObject({ name: person.name, valid: true });
    const base_url = `http://birds.localhost:${system.port}`;
    const json = { slug: 'birds', name: 'Birds', host: new URL(base_url).host, base_url, owner_email: owner };
    const place = { currency: 'EUR', timezone: 'Europe/Lisbon', locale: 'pt-PT' };
    const { status, body } = await operate('/schools', { ...json, ...place });
    expect(status).toBe(201);
    await ownerInvited();
    // Mails are beyond reach, and more of them are being written.
    await cp(system.dataDir, backup, { recursive: true, filter: (from) => !from.includes('/outbox') });
    const found = await singing(system.dataDir);
    expect(found.filter((file) => !isReadModel(file))).toEqual([]);
    expect(found).toContain('school/documents.db-wal');
    expect(canaries.some((canary) => system.output().includes(canary.toString()))).toBe(false);
    for (const tenant of [body.id, '_platform']) expect((await erase(body.id, tenant)).status).toBe(200);
    expect((await erase(body.id.replace('school_', 'account_'), body.id)).status).toBe(200);
  });

  test('once it is answered nobody can read anything of the person, nor act as them', async () => {
    expect(await erase(account, school)).toMatchObject({
      status: 200,
      body: { object: 'erasure', subject: account, school, services: expect.arrayContaining(['auth']) },
    });
    expect((await profile()).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await inForce(patience, () => call(system.baseUrl + certificate), hasStatus(404))).status).toBe(404);
    const landed = await approve(new Person(), client.start('openid').url, person.email, password).catch(
      () => undefined,
    );
    expect(landed?.left).toBeUndefined();
  });

  test('not one byte of the person is left in any file, while the system runs', async () => {
    expect(await singing(system.dataDir)).toEqual([]);
  });

  test('other services have learnt it, and doing it again changes nothing', async () => {
    const everywhere = ['auth', 'catalog', 'commerce', 'content', 'learning', 'media', 'school'];
    expect((await erase(account, school)).status).toBe(200);
    const again = async () => {
      await sleep(100);
      return erase(account, school);
    };
    const told = await inForce(patience, again, ({ body }) => body.services.length === everywhere.length);
    expect(told.body.services.toSorted()).toEqual(everywhere);
    expect((await erase('account_unknown', school)).body.error).toBe('not_found');
    expect((await erase(account, 'school_unknown')).body.error).toBe('not_found');
  });

  test('erase a member, rebuild every projection: no clear PII anywhere', async () => {
    const token = system.operatorToken;
    const projections = async (): Promise<readonly { service: string; projection: string; state: string }[]> =>
      (await call(`${system.operatorUrl}/internal/projections`, { token })).body.data;
    const all = await projections();
    expect(all.length).toBeGreaterThan(20);
    for (const { service, projection } of all) {
      const path = `/projections/${projection.split('@')[0]}/rebuild?service=${service}`;
      expect([path, (await operate(path, undefined)).status]).toEqual([path, 202]);
    }
    const isLive = async () => (await projections()).every(({ state }) => state === 'live');
    await until(isLive, 'the last of them');
    expect(await singing(system.dataDir)).toEqual([]);
    expect((await call(system.baseUrl + certificate)).status).toBe(404);
    expect((await profile()).status).toBe(401);
  });

  test('everybody else is as before, and the address may come back as another person', async () => {
    const other = await client.tokens('owner@lantern.test', system.password, 'openid email');
    const { body } = await call(`${system.baseUrl}/api/oauth/userinfo`, { token: other.access_token });
    expect(body.email).toBe('owner@lantern.test');
    const again = await enrol(person.email);
    expect(again.status).toBe(201);
    expect((await erase(again.body.id, school)).status).toBe(200);
  });

  test('a stop, a start and a kill bring nothing back', async () => {
    await system.kill();
    expect(await singing(system.dataDir)).toEqual([]);
    system = await startSystem({ dataDir: system.dataDir, port: system.port });
    expect((await profile()).status).toBe(401);
    expect(await singing(system.dataDir)).toEqual([]);
  }, 60_000);

  test('logs of an older backup are unreadable with the keys of today', async () => {
    await system.kill();
    const { dataDir } = system;
    for (const service of ['analytics', 'auth', 'catalog', 'commerce', 'content', 'learning', 'media', 'school'])
      for (const file of await readdir(join(dataDir, service)))
        if (!file.startsWith('keys.db')) await rm(join(dataDir, service, file));
    await cp(backup, dataDir, {
      recursive: true,
      filter: (source) => !/(keys|documents)\.db(-\w+)?$/.test(source),
    });
    system = await startSystem({ dataDir: system.dataDir, port: system.port });
    expect((await profile()).status).toBe(401);
    expect((await call(`${system.baseUrl}/api/school`)).status).toBe(200);
    expect(await singing(system.dataDir)).toEqual([]);
  }, 60_000);
});
