import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { writeErasure } from '@lyceum/service';
import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operated, clear, operate } from '../testing/operated.ts';

jest.setTimeout(30_000);

const school = 'school_0198f3a2-7c1b-7000-8000-00000000000a';
const person = 'account_0198f3a2-7c1b-7000-8000-000000000001';

/** A text with the last line that belongs to it. */
const ended = (lines: readonly string[]): string => {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`;
};

/** A school's commits as readers get them, without what is another in every installation. */
async function commitsIn({ ports: { log } }: Operated, tenant = school) {
  const all = await log.readLane(log.laneOf(tenant), 0, 10_000);
  const own = all.filter((commit) => commit.tenant === tenant);
  return own.map((commit) => {
    const { arrived: _, ...meta } = commit.meta;
    return { ...commit, meta, position: 0, prev: '', lane: 0 };
  });
}

describe('a school that moves', () => {
  let [here, there]: Operated[] = [];
  beforeEach(async () => {
    [here, there] = [await operate(), await operate()];
    const { write } = here;
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => write(school, `course_${n % 40}`, n < 40 ? undefined : 'Renamed')),
    );
    await here.write(school, person, 'OwnerNamed', { name: 'Ada Byron' });
    await here.write('school_17', 'course_1');
    await there.write('school_2', 'course_1');
  });
  afterEach(async () => {
    for (const each of [here!, there!]) {
      await each.stop();
      await clear(each.folder);
    }
  });

  const leave = async (query = 'personal=included') =>
    (await here!.ask('GET', `/internal/schools/${school}/export?${query}`)).text;
  const digestOf = (body: string): string => /"sha256":"(\w{64})"/.exec(body)?.[1] ?? 'f'.repeat(64);
  const arrive = (body: string, confirm = digestOf(body)) =>
    there!.ask('POST', `/internal/schools/import?confirm=${confirm}`, body);

  test('arrives with every commit: same ids, times, versions, fingerprints, and people by name', async () => {
    const made = await arrive(await leave());
    expect([made.status, made.body]).toEqual([201, { object: 'arrival', school, services: { catalog: 301 } }]);
    expect(await commitsIn(there!)).toEqual(await commitsIn(here!));
    expect((await commitsIn(there!)).at(-1)!.events[0]!.data).toEqual({ name: 'Ada Byron' });
    expect(await commitsIn(there!, 'school_17')).toEqual([]);
    await there!.until('/internal/projections', ({ data }) =>
      data[0].lanes.every((place: { lag: number }) => place.lag === 0),
    );
    expect(await readdir(join(there!.folder, 'arrivals'))).toEqual([]);
  });

  test('leaves what is personal behind unless it is asked for; then nobody there has a name', async () => {
    const text = await leave('');
    expect(text).not.toMatch(/Ada|\$personal|"key"|"wrapped"/);
    expect((await arrive(text)).status).toBe(201);
    const [mine, theirs] = [await commitsIn(here!), await commitsIn(there!)];
    expect(theirs.slice(0, -1)).toEqual(mine.slice(0, -1));
    expect(theirs.at(-1)!.events).toEqual([{ ...mine.at(-1)!.events[0]!, data: { name: null } }]);
  });

  test('an erased person is nobody in the export, and stays erased there', async () => {
    await here!.ports.vault.destroy(school, person);
    expect((await arrive(await leave())).status).toBe(201);
    expect((await commitsIn(there!)).at(-1)!.events[0]!.data).toEqual({ name: null });
    expect(await there!.ports.vault.keyStatus(school, person)).toBe('erased');
  });

  test('an erasure comes after everything else, so that nobody carries out anew what followed from it', async () => {
    const { log } = here!.ports;
    const subject = 'account_0198f3a2-7c1b-7000-8000-000000000002';
    const erasure = { school, subject, meta: { actor: 'system' }, at: '2026-01-05T09:00:00.000Z' };
    const { commitId } = await writeErasure(log, erasure);
    await here!.write(school, 'course_1', 'Renamed');
    const made = await arrive(await leave());
    expect([made.status, made.body]).toEqual([201, { object: 'arrival', school, services: { catalog: 303 } }]);
    const [mine, theirs] = [await commitsIn(here!), await commitsIn(there!)];
    expect(mine.at(-1)!.commitId).not.toBe(commitId);
    expect(theirs).toEqual([
      ...mine.filter((each) => each.commitId !== commitId),
      expect.objectContaining({ commitId }),
    ]);
  });

  test('goes on where it was cut off, and is refused once it has gone another way', async () => {
    const text = await leave();
    const lines = text.trimEnd().split('\n').slice(0, -1);
    expect((await arrive(ended(lines.slice(0, 120)))).status).toBe(201);
    expect((await commitsIn(there!)).length).toBeLessThan(120);
    expect((await arrive(text)).status).toBe(201);
    expect(await commitsIn(there!)).toEqual(await commitsIn(here!));
    const renamed = lines.map((line) => line.replace('"title":"Paper"', '"title":"Other"'));
    const refused = await arrive(ended(renamed));
    expect([refused.status, refused.body.error]).toEqual([409, 'invalid_state']);
    expect(await commitsIn(there!)).toEqual(await commitsIn(here!));
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['without its last line', (text: string) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 1)],
    ['with a letter changed', (text: string) => text.replace('Renamed', 'renamed')],
    ['with a line less', (text: string) => text.replace(/\n.*\n/, '\n')],
    ['empty', () => ''],
    [
      'of another format',
      (text: string) => ended(text.replace('"format":1', '"format":2').trimEnd().split('\n').slice(0, -1)),
    ],
    [
      'of a service that is not here',
      (text: string) => ended(text.replaceAll('"catalog"', '"other"').trimEnd().split('\n').slice(0, -1)),
    ],
    ['that is not JSON', () => 'school\ncourse\n'],
  ])('a body %s is refused before anything is written', async (_, damage) => {
    const refused = await arrive(damage(await leave()));
    expect([refused.status, refused.body.error]).toEqual([
      refused.status === 415 ? 415 : 422,
      refused.status === 415 ? 'unsupported_media_type' : 'validation_failed',
    ]);
    expect(await commitsIn(there!)).toEqual([]);
  });

  test('streams of process managers are passed over, which a release that does not know one takes along', async () => {
    const lines = (await leave()).trimEnd().split('\n').slice(0, -1);
    const first = JSON.parse(lines.find((line) => line.includes('"commit":'))!);
    const stream = 'process/of-a-later-release/course_1/order_1';
    const [event] = first.commit.events;
    const commit = {
      ...first.commit,
      id: randomUUID(),
      streams: [{ id: stream, before: 0, after: 1 }],
      events: [{ ...event, stream, type: 'InputTaken' }],
    };
    const made = await arrive(ended([...lines, JSON.stringify({ ...first, commit })]));
    expect([made.status, made.body.services]).toEqual([201, { catalog: 301 }]);
    expect(await commitsIn(there!)).toEqual(await commitsIn(here!));
  });

  test('signing keys leave with the key that opens them only', async () => {
    const refused = await here!.ask('GET', `/internal/schools/${school}/export?signing_keys=included`);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
  });
});
