import { afterEach, expect, jest, test } from '@jest/globals';
import { type ReadyProxy, loopbackFetch, questionsOf, readyProxy, toldOf, untold } from '@lyceum/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Harbour } from '../testing/drills/harbour.ts';
import { Installation } from '../testing/drills/installation.ts';
import { docs } from '../testing/drills/page.ts';
import { hasStatus, inForce } from '../testing/in-force.ts';

// Two installations start, and a busy machine needs patience.
jest.setTimeout(240_000);

const machines: Installation[] = [];
let front: ReadyProxy | undefined;
afterEach(async () => {
  await front?.close();
  for (const machine of machines.splice(0)) await machine.remove();
});

const page = await docs('drills/moving-a-school');
const lanes = 5;

/** What stands behind an address, for the proxy in front. */
const targetOf = ({ env: { PORT: port } }: Installation) => ({
  port: Number(port),
  status: (path: string) =>
    loopbackFetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => undefined,
    ),
});

test('docs/drills/moving-a-school.md: a school is at the target with all that it had, under its address, in other lanes, and nothing of other schools', async () => {
  machines.push(
    ...(await Promise.all([Installation.installed(), Installation.installed((text) => `${text}LANES=${lanes}\n`)])),
  );
  const [source, target] = machines as [Installation, Installation];
  await Promise.all([source.start(), target.start()]);
  const [before, after] = [targetOf(source), targetOf(target)];
  let behind = before;
  front = await readyProxy(() => [behind], { orAny: true });
  const SCHOOL = 'harbour';
  const school = await Harbour.open(source, `http://harbour.localhost:${front.port}`);
  const staying = await Harbour.open(source, `http://quay.localhost:${source.env['PORT']}`, 'quay');
  const neighbour = await Harbour.open(target, `http://pier.localhost:${target.env['PORT']}`, 'pier');
  const owner = await school.signIn('owner');
  const member = await school.signIn('member');
  const token = owner.tokens.access_token;
  const course = await school.teach(token, 'Moved along');
  await school.make(member.tokens.access_token, '/account/enrollments', { course_id: course });
  const file = await school.upload(token, 'what is handed out');
  await inForce(
    60_000,
    () => school.api('/students', { token }),
    ({ body }) => body.data?.length === 1,
  );
  const others = [];
  for (const each of [staying, neighbour]) {
    const { tokens } = await each.signIn('owner');
    await each.teach(tokens.access_token, 'Stays');
    const questions = (await questionsOf(each.baseUrl, tokens.access_token)).filter(isOfSchool);
    const told = () => toldOf(each.baseUrl, tokens.access_token, questions);
    others.push({ told, known: await told() });
  }
  const questions = (await questionsOf(school.baseUrl, token)).filter(isOfSchool);
  const told = await toldOf(school.baseUrl, token, questions);
  expect(questions.length).toBeGreaterThan(15);

  await page.run('At the source: close and export', source, { SCHOOL });
  const away = await inForce(1_000, () => school.api('/courses'), hasStatus(503));
  expect(away.body.error).toBe('school_suspended');
  const exported = await readFile(join(source.env['BACKUPS']!, 'harbour.ndjson'), 'utf8');
  expect(exported).toContain(school.id);
  for (const id of [staying.id, ...Object.values(staying.people)]) expect(exported).not.toContain(id);

  const carried = ['harbour.ndjson', 'harbour.files.tar'].map((name) => `"${join(source.env['BACKUPS']!, name)}"`);
  await target.run(`cp ${carried.join(' ')} "$BACKUPS"`);
  const imported = await page.run('At the target: import and open', target, { SCHOOL });
  expect(imported.printed).toContain(school.id);
  behind = after;
  front.cut();
  const opened = await inForce(60_000, () => school.api('/school'), hasStatus(200));
  expect(opened.body).toMatchObject({ id: school.id, base_url: school.baseUrl });
  const over = await page.run('Is it over?', target, { SCHOOL });
  expect(over.printed).toContain('olga@harbour.test');
  expect(over.printed).not.toContain(staying.id);

  // Passwords and refresh tokens are the same; access tokens of the source are not.
  const there = await inForce(
    60_000,
    () => school.signIn('owner').catch(() => undefined),
    (found) => found !== undefined,
  );
  const now = there!.tokens.access_token;
  expect((await school.api('/courses', { token })).status).toBe(401);
  // It was suspended and resumed since.
  const isOfSuspension = (line: string) => /^\/\/api\/school\/(updated_at|version):/.test(line);
  const lacking = async () =>
    untold(told, await toldOf(school.baseUrl, now, questions)).filter((line) => !isOfSuspension(line));
  const lacked = () => lacking().catch((error: Error) => [error.message]);
  expect(await inForce(60_000, lacked, ({ length }) => length === 0)).toEqual([]);
  expect((await member.client.refresh(member.tokens.refresh_token)).status).toBe(200);
  const here = await school.signIn('member');
  const enrolled = await school.api('/account/enrollments', { token: here.tokens.access_token });
  expect(enrolled.body.data).toMatchObject([{ course_id: course }]);
  const { body: upload } = await school.api(`/storage/uploads/${file}`, { token: now });
  expect(await (await loopbackFetch(upload.url)).text()).toBe('what is handed out');

  const heads = await target.rows<{ readonly service: string }>('lanes');
  expect(heads.filter(({ service }) => service === 'learning')).toHaveLength(lanes);
  for (const other of others) expect(await other.told()).toEqual(other.known);

  // The source still answers as one that is closed, and its staff reads.
  behind = before;
  front.cut();
  const left = await inForce(60_000, () => school.api('/courses', { token }), hasStatus(200));
  expect([left.status, (await school.api('/courses')).body.error]).toEqual([200, 'school_suspended']);
  await page.run('At the source: afterwards', source, { SCHOOL });
  expect(page.left).toEqual([]);
});

/** What a school tells of itself, rather than what the person has done who asks. */
function isOfSchool(question: string): boolean {
  return !question.startsWith('/api/account/');
}
