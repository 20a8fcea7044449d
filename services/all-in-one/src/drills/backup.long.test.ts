import { afterEach, expect, jest, test } from '@jest/globals';
import { questionsOf, toldOf } from '@lyceum/testkit';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Harbour } from '../testing/drills/harbour.ts';
import { Installation } from '../testing/drills/installation.ts';
import { docs } from '../testing/drills/page.ts';
import { checksums, removeReadModels } from '../testing/drills/read-models.ts';
import { hasStatus, inForce } from '../testing/in-force.ts';

// Four starts of a real process; a busy machine needs patience.
jest.setTimeout(240_000);

let machine: Installation | undefined;
afterEach(async () => machine?.remove());

const page = await docs('drills/backup-and-restore');

test('docs/drills/backup-and-restore.md: what was written before the backup is there, read models are those of a clean replay, what was revoked stays so', async () => {
  machine = await Installation.installed();
  const { STATE: state = '', PORT: port } = machine.env;
  await machine.start();
  const school = await Harbour.open(machine, `http://harbour.localhost:${port}`);
  const owner = await school.signIn('owner');
  const member = await school.signIn('member');
  const token = owner.tokens.access_token;
  const course = await school.teach(token, 'Before the backup');
  await school.make(member.tokens.access_token, '/account/enrollments', { course_id: course });
  const revoked = await school.signIn('member');
  await revoked.client.revoke(revoked.tokens.refresh_token);
  await inForce(60_000, () => school.api('/account', { token: revoked.tokens.access_token }), hasStatus(401));
  const students = () => school.api('/students', { token });
  await inForce(60_000, students, ({ body }) => body.data?.length === 1);
  const questions = await questionsOf(school.baseUrl, token);
  const before = await toldOf(school.baseUrl, token, questions);

  const made = await page.run('Back up', machine);
  expect(made.printed).toMatch(/made_at +\d{4}-/);
  // Files as of the backup, for the comparison: they are stopped, copied and started again.
  await machine.stop();
  await cp(state, `${state}.then`, { recursive: true });
  await machine.start();
  const wanted = await checksums(`${state}.then`);
  await school.teach(token, 'After the backup');
  const fresh = await school.signIn('member');

  const restored = await page.run('Restore', machine);
  expect(restored.printed).toMatch(/^Restored auth, school, catalog.* as of /);
  expect(restored.printed).toContain('No mail is sent until you say so');
  const over = await page.run('Is it over?', machine);
  expect(over.told).toContain('are whole.');
  expect(over.printed).toContain('harbour');
  expect(over.printed).not.toMatch(/building|parked_since/);
  expect(await toldOf(school.baseUrl, token, questions)).toEqual(before);
  const titles = (await school.api('/courses', { token })).body.data.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(['Before the backup']);

  // Tokens: those of before count, those of after and those that were revoked do not; the password is the same.
  expect((await school.api('/account', { token: member.tokens.access_token })).status).toBe(200);
  expect((await member.client.refresh(member.tokens.refresh_token)).status).toBe(200);
  expect((await fresh.client.refresh(fresh.tokens.refresh_token)).status).toBeGreaterThanOrEqual(400);
  expect((await school.api('/account', { token: revoked.tokens.access_token })).status).toBe(401);
  expect((await revoked.client.refresh(revoked.tokens.refresh_token)).body.error).toBe('invalid_grant');
  await school.signIn('member');

  const mailsBefore = await mails(state);
  const released = await page.run('Mail again', machine);
  expect(released.told).toContain('Mail is sent');
  expect(await mails(state)).toEqual(mailsBefore);
  expect(page.left).toEqual([]);

  // Every reader has begun anew in the new epoch, and has everything.
  const rows = await machine.rows<{ readonly lag: number | null }>('consumers');
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ lag }) => lag !== 0)).toEqual([]);

  await machine.stop();
  const found = await checksums(state);
  expect(Object.keys(found).length).toBeGreaterThan(20);
  await removeReadModels(state);
  await machine.start();
  await machine.stop();
  expect(found).toEqual(await checksums(state));
  // Since then people have signed in: nothing else.
  const isOfSignIns = (name: string) => /^auth (client|grant|session)/.test(name);
  const other = (sums: typeof found) => Object.entries(sums).filter(([name]) => !isOfSignIns(name));
  expect(other(found)).toEqual(other(wanted));
});

const mails = (state: string): Promise<readonly string[]> => readdir(join(state, 'outbox')).catch(() => []);
