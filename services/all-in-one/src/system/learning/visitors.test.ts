import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologiesIfLong, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { hasStatus, inForce } from '../../testing/in-force.ts';

/** What visitors and members write into a school, through the real gateway. */
await describeTopologiesIfLong('visitors of a school', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  const mark = randomUUID().slice(0, 8);
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    const [site, people] = ['pages:read pages:write forms:read analytics:read', 'members:read students:write'];
    staff = await tokenOf('owner', `${site} ${people} comments:read courses:read courses:write posts:read posts:write`);
    student = await tokenOf('student', 'openid account:read account:write comments:read courses:read');
  }, 400_000);
  afterAll(() => close());

  async function post(path: string, token: string, json: object = {}) {
    const made = await api(path, { method: 'POST', token, json, headers: { 'idempotency-key': randomUUID() } });
    expect([path, made.status < 300, made.body?.error]).toEqual([path, true, undefined]);
    return made.body;
  }

  test('send a form of a page without scripts; who agrees is an invited member with its tag', async () => {
    const email = `visitor-${mark}@example.org`;
    const form = {
      kind: 'form',
      key: 'letters',
      name: 'Letters',
      fields: [{ key: 'email', label: 'Your address', type: 'email', required: true }],
      consent: 'I want letters.',
      tag_on_submit: `letters ${mark}`,
      submit_message: `Thank you ${mark}`,
    };
    const slug = `letters-${mark}`;
    const { id, blocks } = await post('/pages', staff, { title: 'Letters', slug, blocks: [form] });
    await post(`/pages/${id}/publish`, staff);
    const path = `/forms/${blocks[0].form_id}`;
    const shown = async () => {
      const response = await fetch(`${system.baseUrl}/p/${slug}`, { headers: { accept: 'text/html' } });
      return response.text();
    };
    expect(await inForce(patience, shown, (html) => html.includes(path))).toContain(`action="${path}"`);
    const sent = await fetch(system.baseUrl + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ 'a.email': email, consent: 'true' }),
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}/sent`]);
    expect(await (await fetch(`${system.baseUrl}${path}/sent`)).text()).toContain(`Thank you ${mark}`);
    const submissions = () => api(`/forms/${blocks[0].form_id}/submissions`, { token: staff });
    const kept = await inForce(patience, submissions, ({ body }) => body.data[0]?.member_id !== null && body.data[0]);
    expect(kept.body.data).toEqual([
      expect.objectContaining({ email, state: 'accepted', member_id: expect.any(String) }),
    ]);
    const member = await inForce(
      patience,
      () => api(`/members/${kept.body.data[0].member_id}`, { token: staff }),
      ({ body }) => body.tags?.length > 0,
    );
    expect(member.body).toMatchObject({ email, status: 'invited', role: 'member', tags: [`letters ${mark}`] });
    await post(`/forms/${blocks[0].form_id}/submissions/${kept.body.data[0].id}/spam`, staff);
    const figures = () => api(`/analytics/forms?form_id=${blocks[0].form_id}&interval=month`, { token: staff });
    const counted = await inForce(patience, figures, ({ body }) => body.data?.at(-1)?.spam === 1);
    expect(counted.body.data.at(-1)).toMatchObject({ submissions: 1, spam: 1, restored: 0, spam_bp: 10_000 });
    await post(`/pages/${id}/unpublish`, staff);
    const json = { answers: { email } };
    expect((await api(`/forms/${blocks[0].form_id}/submissions`, { method: 'POST', json })).status).toBe(404);
  });

  test('comment on the courses that they have access to, and the staff decides what others see', async () => {
    const listed = (await api('/courses?access=paid&limit=100', { token: student })).body.data;
    const member = (await api('/account', { token: student })).body.sub;
    const comment = (host: string, body: string) =>
      api('/comments', { method: 'POST', token: student, json: { host, body } });
    const locked: { readonly id: string }[] = [];
    for (const course of listed)
      if ((await comment(course.id, `Locked ${randomUUID()}`)).status === 409) locked.push(course);
    // Where services are apart, one may not have heard yet that the student has a course: that is no locked one.
    const enrolledIn = async () => {
      for (const course of locked) {
        const json = { course_id: course.id };
        const { status } = await api(`/students/${member}/enrollments`, { token: staff, json });
        if (status === 201) return course;
      }
      return undefined;
    };
    const course = await inForce(patience, enrolledIn, (found) => found !== undefined);
    if (!course) throw new Error('the student has access to every course');
    const words = `How thick is the paper ${mark}?`;
    const made = await inForce(patience, () => comment(course.id, words), hasStatus(201));
    expect(made.body).toMatchObject({ state: 'pending', author: { name: 'Tom Reed' }, mine: true });
    const path = `/comments/${made.body.id}`;
    expect((await api(path)).status).toBe(404);
    const approved = await post(`${path}/moderation`, staff, { action: 'approve' });
    expect(approved).toMatchObject({ state: 'visible', author_id: member, body: words });
    const own = await inForce(
      patience,
      () => api('/account/comments', { token: student }),
      ({ body }) =>
        body.data.some(({ id, state }: { id: string; state: string }) => id === made.body.id && state === 'visible'),
    );
    expect(own.body.data.map(({ id }: { id: string }) => id)).toContain(made.body.id);
    // Who has no access to the course reads nothing of it.
    expect((await api(path)).status).toBe(404);
    expect((await api(`/comments?host=${course.id}`)).body.data).toEqual([]);
  });

  test('hear in the change feed of comments that everybody may read, and of their end, and of no others', async () => {
    const { id: host } = await post('/posts', staff, { title: `Paper ${mark}`, visibility: 'public' });
    const { id: closed } = await post('/posts', staff, { title: `Members ${mark}`, visibility: 'members' });
    const written: string[] = [];
    for (const each of [host, closed]) {
      await post(`/posts/${each}/publish`, staff);
      const { id } = await post('/comments', student, { host: each, body: `On ${each}` });
      for (const action of ['approve', 'hide', 'restore']) await post(`/comments/${id}/moderation`, staff, { action });
      written.push(id);
    }
    await post(`/comments/${written[0]}/moderation`, staff, { action: 'spam' });
    const types = 'CommentRestored,CommentHidden,CommentMarkedSpam';
    const feed = async (token?: string, base = system.baseUrl) => {
      const seen: Record<string, unknown>[] = [];
      for (let after: string | undefined; ;) {
        const query = `types=${types}&limit=100${after ? `&after=${encodeURIComponent(after)}` : ''}`;
        const { body } = await call(`${base}/api/changes?${query}`, token ? { token } : {});
        seen.push(...body.data);
        if (!body.has_more) return seen.filter(({ subject }) => written.includes(String(subject)));
        after = body.next_cursor;
      }
    };
    const told = (seen: readonly Record<string, unknown>[]) => seen.map(({ type, subject }) => [type, subject]);
    const [open, other] = written;
    const byStaff = await inForce(
      patience,
      () => feed(staff),
      (seen) => seen.length === 5,
    );
    expect(told(byStaff).toSorted()).toEqual(
      [
        ['CommentHidden', open],
        ['CommentRestored', open],
        ['CommentMarkedSpam', open],
        ['CommentHidden', other],
        ['CommentRestored', other],
      ].toSorted(),
    );
    for (const token of [undefined, student]) {
      const seen = await feed(token);
      expect(told(seen)).toEqual([
        ['CommentHidden', open],
        ['CommentRestored', open],
        ['CommentHidden', open],
      ]);
      for (const { data } of seen) expect(data).toEqual({ comment_id: open, host_type: 'post', host_id: host });
    }
    const northquay = `http://northquay.localhost:${new URL(system.baseUrl).port}`;
    expect(await feed(undefined, northquay)).toEqual([]);
  });
});
