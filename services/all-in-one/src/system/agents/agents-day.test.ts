import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, Client, Person, type Place, call, describeTopologies, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { Agent } from '../../testing/agents/agent.ts';
import { EventCrowd } from '../../testing/selling/event-crowd.ts';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { joinByInvitation } from '../../testing/joining.ts';

/** A day of an agent that is told the address of a school, and of the person who lets it in. */
await describeTopologies('an agent', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let agent: Agent;
  const email = `agents-day-${randomUUID()}@people.test`;
  const password = 'seven kites above the harbour';
  let course: { readonly id: string; readonly slug: string };
  let event: string;

  beforeAll(async () => {
    ({ system, close } = await open());
    await joinByInvitation(system, email, { password });
    course = await publishedCourse();
    ({ event } = await EventCrowd.open(system, 5));
    agent = new Agent(system.baseUrl);
  }, 400_000);
  afterAll(async () => {
    await agent?.close();
    await close?.();
  });

  /** A free course of two lessons, which other suites leave alone. */
  async function publishedCourse() {
    const scope = 'courses:read courses:write curriculum:write lecturers:read';
    const client = await Client.register(system.baseUrl);
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, scope);
    const send = async (path: string, json: object = {}): Promise<Answer['body']> => {
      const { status, body } = await call(`${system.baseUrl}/api${path}`, { token, json });
      expect([path, status < 300, body.error]).toEqual([path, true, undefined]);
      return body;
    };
    const { body: lecturers } = await call(`${system.baseUrl}/api/lecturers`);
    const title = `Folding ${randomUUID().slice(0, 8)}`;
    const made = await send('/courses', { title, access: 'free', lecturer_ids: [lecturers.data[0].id] });
    const section = await send(`/courses/${made.id}/sections`, { title: 'All' });
    for (const each of ['First fold', 'Second fold']) {
      const given = {
        section_id: section.id,
        title: each,
        type: 'text',
        body: [{ type: 'paragraph', text: [{ text: `${each}: slowly.` }] }],
      };
      const lesson = await send(`/courses/${made.id}/lessons`, given);
      await send(`/courses/${made.id}/lessons/${lesson.id}/publish`);
    }
    return send(`/courses/${made.id}/publish`);
  }

  /** Does what the API refuses at first while the neighbours have not received what was published. */
  const write = (path: string, method: string, json: object): Promise<Answer> =>
    inForce(
      patience,
      () => agent.api(path, { method, json, headers: { 'idempotency-key': randomUUID() } }),
      ({ status }) => status < 300,
    );

  test('finds the school, is let in, enrols, learns, registers for an event and comments', async () => {
    // It looks around: nobody has to sign in for that.
    const metadata = await call(`${system.baseUrl}/.well-known/oauth-protected-resource/mcp`);
    expect(metadata.body).toMatchObject({ resource: `${system.baseUrl}/mcp`, authorization_servers: [system.baseUrl] });
    const server = (await call(`${system.baseUrl}/.well-known/oauth-authorization-server`)).body;
    expect(server).toMatchObject({ issuer: system.baseUrl, registration_endpoint: expect.any(String) });
    expect((await call(`${system.baseUrl}/auth.md`)).body).toContain(server.registration_endpoint);
    await agent.connect('/mcp');
    const open_ = await agent.tools();
    expect(open_).toEqual(expect.arrayContaining(['search_courses', 'list_offers', 'list_events', 'list_posts']));
    expect(open_).not.toContain('upsert_course');
    const offered = async (kind: string): Promise<readonly Answer['body'][]> =>
      (await agent.tool('list_offers', { kind })).structuredContent.items;
    const isCourse = ({ subject_id }: Answer['body']) => subject_id === course.id;
    const offers = await inForce(
      patience,
      () => offered('course'),
      (items) => items.some(isCourse),
    );
    expect(offers.find(isCourse)).toMatchObject({ price: null, cost: 'Free with an account' });
    const isEvent = ({ subject_id }: Answer['body']) => subject_id === event;
    const evenings = await inForce(
      patience,
      () => offered('event'),
      (items) => items.some(isEvent),
    );
    expect(evenings.find(isEvent)).toMatchObject({ price: null, cost: 'Free, also without an account' });
    const hint = await agent.tool('get_my_account');
    expect([hint.isError, hint._meta['mcp/www_authenticate'][0]]).toEqual([
      true,
      expect.stringContaining('/.well-known/oauth-protected-resource/mcp"'),
    ]);
    const nobody = await agent.api('/account/enrollments', { json: { course_id: course.id } });
    expect([nobody.status, nobody.body.error, nobody.headers.get('www-authenticate')]).toEqual([
      403,
      'access_denied',
      null,
    ]);

    // It connects where it has to sign in: 401, metadata, registration, and the page that a person opens.
    await expect(agent.connect('/mcp/oauth')).rejects.toThrow('Unauthorized');
    const { client_id } = agent.host.clientInformation()!;
    expect(client_id).toEqual(expect.any(String));
    const asked = agent.host.opened!.searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['openid', 'account:read']));
    expect(asked.get('scope')).not.toContain('write');
    const person = new Person();
    const answer = await agent.letIn(person, email, password);
    expect([answer.get('iss'), answer.get('state')]).toEqual([system.baseUrl, asked.get('state')]);
    await agent.connect('/mcp/oauth');
    const account = await agent.tool('get_my_account');
    expect(account.structuredContent.account).toMatchObject({ email, role: 'member' });
    expect((await agent.tool('list_my_courses')).structuredContent.items).not.toContainEqual(
      expect.objectContaining({ course_id: course.id }),
    );

    // What it may read does not let it act: it asks for that one scope more, and the person allows it.
    const refused = await agent.api('/account/enrollments', { json: { course_id: course.id } });
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(await agent.stepUp(refused)).toEqual({ error: 'insufficient_scope', scope: 'account:write' });
    expect(agent.host.opened!.searchParams.get('scope')?.split(' ')).toContain('account:write');
    expect(agent.host.clientInformation()?.client_id).toBe(client_id);
    await agent.letIn(person, email, password);
    await agent.connect('/mcp/oauth');

    // It enrols and works through the course.
    const enrolled = await write('/account/enrollments', 'POST', { course_id: course.id });
    expect([enrolled.status, enrolled.body.state]).toEqual([201, 'active']);
    const mine = async () =>
      (await agent.tool('list_my_courses')).structuredContent.items.find(
        (item: Answer['body']) => item.course_id === course.id,
      );
    for (const [done, title] of [
      [0, 'First fold'],
      [1, 'Second fold'],
    ] as const) {
      const now = await inForce(
        patience,
        mine,
        (item) => item?.progress.completed === done && item.next_lesson !== null,
      );
      expect(now).toMatchObject({
        state: 'active',
        progress: { completed: done, required: 2 },
        next_lesson: { title },
      });
      const { id } = now.next_lesson;
      const read = () => agent.api(`/courses/${course.id}/lessons/${id}`);
      const lesson = await inForce(patience, read, ({ body }) => body.locked === false);
      expect(JSON.stringify(lesson.body.body)).toContain(`${title}: slowly.`);
      for (const state of ['started', 'completed'])
        expect(
          (await write(`/account/enrollments/${enrolled.body.id}/lessons/${id}`, 'PUT', { state })).body.state,
        ).toBe(state);
    }
    const completed = await inForce(patience, mine, (item) => item.progress.percent === 100);
    expect(completed).toMatchObject({
      progress: { percent: 100 },
      completed_at: expect.any(String),
      next_lesson: null,
    });

    // It registers for an event, and says something about the course.
    const registered = await inForce(
      patience,
      () => agent.api(`/events/${event}/registrations`, { method: 'POST', headers: { prefer: 'wait=10' } }),
      ({ status }) => status === 200 || status === 201,
    );
    expect(registered.body).toMatchObject({ event_id: event, status: 'confirmed', view: 'member' });
    const own = await inForce(
      patience,
      () => agent.api('/account/registrations'),
      ({ body }) => body.data[0]?.status === 'confirmed',
    );
    expect(own.body.data).toEqual([expect.objectContaining({ event_id: event, status: 'confirmed' })]);
    const words = `The second fold was hard ${randomUUID()}`;
    const comment = await write('/comments', 'POST', { host: course.id, body: words });
    expect(comment.body).toMatchObject({ mine: true, body: words, author: { name: 'Zoe' } });

    // The person takes it all back: the token is good for nothing from then on.
    const gone = await agent.api(`/account/clients/${client_id}`, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    const after = await inForce(patience, () => agent.api('/account'), hasStatus(401));
    expect(after.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});
