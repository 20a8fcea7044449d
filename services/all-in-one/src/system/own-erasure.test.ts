import { describe, expect, jest, test } from '@jest/globals';
import { Client, Person, call } from '@lyceum/testkit';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inForce } from '../testing/in-force.ts';
import { ownSystems } from '../testing/own-systems.ts';

jest.setTimeout(120_000);

const [email, password] = ['zoe@leaving.test', 'seven kites above the harbour'];

describe('erasure by oneself', () => {
  const { start, folder, systems } = ownSystems();

  test('killed at any moment after it was asked for, it is done once: two mails, no way in, nothing known', async () => {
    const dataDir = await folder();
    const env = { ERASURE_WAIT_DAYS: '0' };
    const first = await start({ dataDir, env });
    const operate = (path: string, json?: object) =>
      call(`${first.operatorUrl}${path}`, { token: first.operatorToken, ...(json ? { json } : {}) });
    const listed = (await operate('/internal/schools')).body.data as { id: string; slug: string }[];
    const school = listed.find(({ slug }) => slug === 'lantern-craft')!.id;
    const invited = await operate('/internal/members', { school, email, role: 'member' });
    const person = new Person();
    const page = await person.visit(invited.body.invitation_url);
    expect((await person.submit(page, { name: 'Zoe', password })).status).toBe(200);
    const client = await Client.register(first.baseUrl);
    const { access_token: token } = await client.tokens(email, password, 'openid account:read account:write');
    const asked = await call(`${first.baseUrl}/api/account/erasure`, { method: 'POST', token });
    expect([asked.status, asked.body.object]).toEqual([202, 'erasure']);
    await systems.pop()!.kill();

    const second = await start({ dataDir, port: first.port, env });
    const account = () => call(`${second.baseUrl}/api/account`, { token });
    expect((await inForce(20_000, account, ({ status }) => status === 401)).status).toBe(401);
    const { body: member } = await call(
      `${second.operatorUrl}/internal/members?school=${school}&status=erased&limit=100`,
      {
        token: second.operatorToken,
      },
    );
    const gone = member.data.find(({ id }: { id: string }) => id === invited.body.id);
    expect(gone).toMatchObject({ name: null, email: null, status: 'erased' });
    await expect(client.tokens(email, password, 'openid')).rejects.toThrow();
    const outbox = join(dataDir, 'outbox');
    const mails = await Promise.all((await readdir(outbox)).map((file) => readFile(join(outbox, file), 'utf8')));
    const subjects = mails
      .filter((mail) => mail.includes(email))
      .map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim());
    expect(subjects.filter((subject) => subject?.includes('erased')).sort()).toEqual([
      'Your account at Lantern Craft School is erased',
      'Your account at Lantern Craft School will be erased',
    ]);
  });
});
