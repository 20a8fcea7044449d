import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoAccountId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { found } from '@lyceum/testkit';
import type { Got } from '@lyceum/testkit-service';
import { commentStates } from '../comments/comment.state.ts';
import { commentDecider } from '../comments/comment.ts';
import { blockKinds } from '../pages/page.events.ts';
import { seatingDecider, seatingStream } from '../seating/seating.ts';
import { submissionDecider } from '../submissions/submission.ts';
import { demo, lantern, music, startDemo, streamsOf, uuidVersion } from '../testing/demo-schools.ts';
import { demoEventId } from './demo-registering.ts';

const counted = <Key extends string>(keys: readonly Key[]): Readonly<Record<string, number>> =>
  keys.reduce<Record<string, number>>((counts, key) => ({ ...counts, [key]: (counts[key] ?? 0) + 1 }), {});

describe('the content of the demo', () => {
  let service: Awaited<ReturnType<typeof startDemo>>;
  beforeAll(async () => {
    service = await startDemo();
    await service.seed();
  }, 60_000);
  afterAll(() => service.close());

  const list = async (path: string, school = lantern): Promise<Got['body'][]> => {
    const { status, body } = await service.call('GET', path, { school });
    expect([path, status]).toEqual([path, 200]);
    return body.data;
  };
  const eventOf = async (slug: string, school = lantern) =>
    (await service.call('GET', `/api/events/${slug}`, { school })).body;
  const registrationsOf = (slug: string, school = lantern) =>
    list(`/api/events/${demoEventId(school, slug)}/registrations?limit=100&sort=created_at`, school);

  test('has eight posts for everybody, members and plans: published, pinned, scheduled, withdrawn and written', async () => {
    const posts = await list('/api/posts?limit=100');
    expect(posts.map(({ slug, status, visibility }) => [slug, status, visibility]).toSorted()).toEqual([
      ['colour-cards-for-kozo', 'published', 'plans'],
      ['evening-at-the-river', 'published', 'public'],
      ['indigo-diary', 'published', 'plans'],
      ['opening-hours-in-summer', 'unpublished', 'public'],
      ['repairing-a-torn-lantern', 'published', 'members'],
      ['the-parade-how-to-join', 'scheduled', 'public'],
      ['welcome', 'published', 'public'],
      ['what-bamboo-taught-us', 'draft', 'members'],
    ]);
    expect(posts.filter(({ pinned }) => pinned).map(({ slug }) => slug)).toEqual(['welcome']);
    const { body: river } = await service.call('GET', '/api/posts/evening-at-the-river', { school: lantern });
    expect(river.revisions.map(({ revision }: { revision: number }) => revision)).toEqual([2, 1]);
  });

  test('has six pages with blocks of every kind: published, scheduled and written, one with a revision that is back', async () => {
    const pages = await list('/api/pages?limit=100');
    expect(pages.map(({ slug, kind, status }) => [slug, kind, status]).toSorted()).toEqual([
      ['festival', 'custom', 'scheduled'],
      ['home', 'home', 'published'],
      ['privacy', 'privacy', 'published'],
      ['teach-with-us', 'custom', 'draft'],
      ['terms', 'terms', 'published'],
      ['visit', 'custom', 'published'],
    ]);
    const whole = await Promise.all(
      pages.map(async ({ id }) => (await service.call('GET', `/api/pages/${id}`, { school: lantern })).body),
    );
    const kinds = whole.flatMap(({ blocks, draft }) => [...blocks, ...draft.blocks].map(({ kind }) => kind as string));
    expect(new Set(kinds)).toEqual(new Set(blockKinds));
    const visit = whole.find(({ slug }) => slug === 'visit');
    expect(visit.revisions.map(({ revision, of }: { revision: number; of?: number }) => [revision, of])).toEqual([
      [3, 1],
      [2, undefined],
      [1, undefined],
    ]);
  });

  test('has two forms, of which no page shows one any more, and twenty submissions in every state', async () => {
    const forms = [...(await list('/api/forms')), ...(await list('/api/forms?status=retired'))];
    expect(forms.map(({ key, status }) => [key, status])).toEqual([
      ['contact', 'live'],
      ['survey', 'retired'],
    ]);
    const ids = await streamsOf(service, lantern, 'submission_');
    const states = await Promise.all(
      ids.map(async (id) => (await fold(service.log, submissionDecider, lantern, id)).state),
    );
    const named = states.map((state) => (state === null || state === 'deleted' ? 'deleted' : state.state));
    expect(counted(named)).toEqual({ accepted: 13, received: 1, spam: 3, deleted: 3 });
    const consents = states.filter((state) => state !== null && state !== 'deleted').filter(({ consent }) => consent);
    expect(consents.map(({ member_id }) => member_id)).toEqual([demoAccountId(lantern, 'student')]);
  });

  test('has thirty comments in every state, on posts, courses and lessons, liked, answered and reported', async () => {
    const ids = await streamsOf(service, lantern, 'comment_');
    const all = await Promise.all(ids.map(async (id) => (await fold(service.log, commentDecider, lantern, id)).state!));
    expect(counted(all.map(({ state }) => state))).toEqual({
      visible: 21,
      pending: 3,
      hidden: 1,
      spam: 3,
      deleted: 2,
    });
    expect(new Set(all.map(({ host_type }) => host_type))).toEqual(new Set(['post', 'course', 'lesson']));
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(commentStates));
    expect(all.filter(({ parent_id }) => parent_id !== null).length).toBeGreaterThan(6);
    expect(all.filter(({ reports }) => reports.length > 0)).toHaveLength(3);
    expect(all.filter(({ edited_at }) => edited_at !== null)).toHaveLength(1);
    expect((await streamsOf(service, lantern, 'like_')).length).toBeGreaterThan(15);
    // Nobody answers what others cannot see.
    const byId = new Map(ids.map((id, index) => [id, all[index]!]));
    for (const { parent_id } of all) expect(parent_id === null || byId.get(parent_id)?.wasSeen).toBe(true);
  });

  test('has an event without a free seat, one that is over, one that was canceled, and one online that costs something', async () => {
    const told = await Promise.all(
      ['open-evening', 'lantern-walk', 'dye-afternoon', 'ask-ines'].map(async (slug) => {
        const { status, mode, price, registration } = await eventOf(slug);
        return [status, mode, price?.amount ?? 0, registration];
      }),
    );
    expect(told.slice(1)).toEqual([
      ['ended', 'in_person', 0, 'closed'],
      ['canceled', 'in_person', 0, 'closed'],
      ['published', 'online', 1200, 'open'],
    ]);
    const statuses = async (slug: string) => counted((await registrationsOf(slug)).map(({ status }) => status));
    expect(await statuses('open-evening')).toEqual({ confirmed: 6, waitlisted: 3 });
    expect(await statuses('lantern-walk')).toEqual({ attended: 6, confirmed: 1, canceled: 1 });
    expect(await statuses('dye-afternoon')).toEqual({ canceled: 4 });
    expect(await statuses('ask-ines')).toEqual({});
  });

  test('takes its seats where all seats are counted, and what is answered changes nothing of who has one', async () => {
    const id = demoEventId(lantern, 'open-evening');
    const open = await found(async () => {
      await service.settled();
      const event = await eventOf('open-evening');
      return event.seats_taken === 6 ? event : undefined;
    }, 'the count of the seats');
    expect([open.seats, open.registration]).toEqual(['none', 'waitlist']);
    expect([service.seats.taken(id), service.seats.taken(demoEventId(lantern, 'dye-afternoon'))]).toEqual([6, 0]);
    expect(counted((await registrationsOf('open-evening')).map(({ status }) => status))).toEqual({
      confirmed: 6,
      waitlisted: 3,
    });
    const { state } = await fold(service.log, seatingDecider, lantern, seatingStream(id));
    expect([state.waiting.length, state.promoting.length]).toEqual([3, 0]);
  });

  test('has less of it in the other school, under the same slugs', async () => {
    expect((await list('/api/posts?limit=100', music)).map(({ slug }) => slug)).toContain('welcome');
    expect((await list('/api/pages?limit=100', music)).map(({ slug }) => slug)).toContain('visit');
    const evening = await eventOf('open-evening', music);
    expect(evening).toMatchObject({ id: demoEventId(music, 'open-evening'), title: 'Open evening: bring a song' });
    const [form] = await list('/api/forms', music);
    expect(form.fields.map(({ key }: { key: string }) => key)).toEqual(['name', 'email', 'message']);
    expect((await streamsOf(service, music, 'comment_')).length).toBe(7);
    expect((await streamsOf(service, music, 'submission_')).length).toBe(4);
  });

  test('is written once, on the same day and on another, and what people changed since is left alone', async () => {
    const change = { body: { title: 'Our open evening' }, school: lantern };
    expect((await service.call('PATCH', '/api/events/open-evening', change)).status).toBe(200);
    expect((await service.call('POST', '/api/posts/welcome/unpin', { school: lantern })).status).toBe(200);
    await service.settled();
    const heads = () => Promise.all([lantern, music].map((school) => service.log.head(service.log.laneOf(school))));
    const before = await heads();
    await service.seed();
    expect(await heads()).toEqual(before);
    service.clock.advance(86_400_000);
    await service.started.seedDemoHistory?.(demo);
    await service.settled();
    const [slugs, { title }] = [await list('/api/posts?limit=100'), await eventOf('open-evening')];
    expect(slugs).toHaveLength(8);
    expect(title).toBe('Our open evening');
    expect((await registrationsOf('open-evening')).length).toBe(9);
  });
});

test('the content of the demo is the same twice, but for guests, whom each installation knows by a secret of its own', async () => {
  const services = await Promise.all([startDemo(), startDemo()]);
  try {
    for (const service of services) await service.seed();
    const [one, other] = await Promise.all(
      services.map(async ({ log }) => {
        const lanes = await Promise.all([lantern, music].map((school) => log.readLane(log.laneOf(school), 0, 10_000)));
        const written = lanes.flat().filter(({ commitId }) => uuidVersion(commitId) === '5');
        const guests = new Set(
          written.flatMap(({ events }) =>
            events.filter(({ data }) => Boolean((data as { guest?: unknown }).guest)).map(({ stream }) => stream),
          ),
        );
        return written
          .flatMap(({ at, commitId, events }) => events.map((event) => ({ ...event, at, commitId })))
          .filter(({ stream }) => /^(post|event|registration|comment|like|submission|form)_/.test(stream))
          .filter(({ stream, type }) => !guests.has(stream) && type !== 'SubmissionMatched')
          .map(({ stream, type, version, at, commitId }) => [stream, version, type, at, commitId].join(' '))
          .toSorted();
      }),
    );
    expect(one!.length).toBeGreaterThan(150);
    expect(one).toEqual(other);
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}, 60_000);
