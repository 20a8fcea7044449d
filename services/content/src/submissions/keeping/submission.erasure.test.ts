import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fold } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import { type ServiceUnderTest, enginesOf, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from '../../module.ts';
import type { ContentPorts } from '../../ports/content-ports.ts';
import { formIds, shownForms } from '../../testing/shown-forms.ts';
import { deleteOutdated } from './submission.retention.ts';
import { submissionDecider } from '../submission.ts';

const day = 86_400_000;
const path = `/api/forms/${formIds.newsletter}/submissions`;
const ada = { role: 'member', subject: 'account_ada', scopes: ['account:write'] } as const;

/** The school service, as far as it is asked: it knows senders by their addresses. */
class FakeSchool {
  readonly asked: Readonly<Record<string, unknown>>[] = [];
  isAway = false;
  refused: string | undefined;

  readonly answer = async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (service !== 'school' || question['kind'] !== 'tag-sender') return undefined;
    if (this.isAway) throw new Error('the school service is away');
    this.asked.push(question);
    return this.refused
      ? { refused: this.refused }
      : { member: question['member'] ?? `account_of_${String(question['email'])}` };
  };
}

let service: ServiceUnderTest;
let school: FakeSchool;
const engines = () => enginesOf(content);
let on: ReturnType<typeof engines>;
beforeEach(async () => {
  school = new FakeSchool();
  on = engines();
  service = await serviceUnderTest(content, {
    engines: on,
    given: { school_1: shownForms },
    ports: { ask: school.answer },
  });
});
afterEach(() => service.close());

let letters = 0;
const send = async (more: object = {}, as: 'anonymous' | typeof ada = 'anonymous') => {
  letters += 1;
  const answers = { name: `Ada ${letters}`, email: 'ada@example.org' };
  const got = await service.call('POST', path, { as, body: { answers, consent: true, ...more } });
  expect(got.status).toBe(201);
  await service.settled();
  const { body } = await service.call('GET', `${path}?state=${'website' in more ? 'spam' : 'accepted'}&limit=1`);
  return body.data[0];
};

const read = (id: string) => service.call('GET', `${path}/${id}`);
const gone = async (id: string) => {
  for (let left = 200; left > 0 && (await service.vault.keyStatus('school_1', id)) !== 'erased'; left -= 1)
    await delay(5);
  await service.settled();
  return [await service.vault.keyStatus('school_1', id), (await read(id)).status];
};
const matched = async (id: string, member: string | null) => {
  for (let left = 200; left > 0; left -= 1, await delay(5)) {
    const { body } = await read(id);
    if (body.member_id === member && member !== null) return body;
  }
  return (await read(id)).body;
};

async function erase(subject: string) {
  await service.vault.destroy('school_1', subject);
  const at = isoTime(service.clock.now());
  await writeErasure(service.log, { school: 'school_1', subject, meta: { actor: 'system' }, at });
}

const stored = async (id: string) => {
  const { state } = await fold(service.log, submissionDecider, 'school_1', id);
  return state;
};

describe('what a visitor sent', () => {
  test('cannot be read once it is deleted, not in the log either', async () => {
    const { id } = await send({ consent: false });
    expect(await stored(id)).toMatchObject({ email: 'ada@example.org' });
    expect((await service.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(await gone(id)).toEqual(['erased', 404]);
    expect(await stored(id)).toBe('deleted');
    const { commits } = await service.log.load('school_1', [id]);
    expect(JSON.stringify(commits)).not.toMatch(/ada@example|Ada \d/);
  });

  test('is deleted when it was kept long enough, and not a day before; one round is bounded', async () => {
    const old = await send({ consent: false });
    const ports = service.ports as unknown as ContentPorts;
    service.clock.advance(730 * day);
    await deleteOutdated(ports);
    expect((await read(old.id)).status).toBe(200);
    const young = await send({ consent: false });
    service.clock.advance(1);
    await deleteOutdated(ports);
    await deleteOutdated(ports);
    expect(await gone(old.id)).toEqual(['erased', 404]);
    expect((await read(young.id)).status).toBe(200);
  });

  test('goes with the member who sent it, and others stay', async () => {
    const [own, other] = [await send({}, ada), await send({ consent: false })];
    await erase('account_ada');
    expect(await gone(own.id)).toEqual(['erased', 404]);
    expect((await read(other.id)).status).toBe(200);
  });

  test('goes with the member whom the school knows by it', async () => {
    const { id } = await send();
    await matched(id, 'account_of_ada@example.org');
    await service.settled();
    await erase('account_of_ada@example.org');
    expect(await gone(id)).toEqual(['erased', 404]);
  });

  test('goes when the school knows somebody by it who is erased by then', async () => {
    school.isAway = true;
    const { id } = await send();
    await erase('account_of_ada@example.org');
    school.isAway = false;
    expect(await gone(id)).toEqual(['erased', 404]);
  });

  test('is in the export of the data of the member, without how much it looks like spam', async () => {
    const { id } = await send({}, ada);
    const answer = await service.started.answer?.({
      kind: 'personal-data',
      school: 'school_1',
      subject: 'account_ada',
      from: { file: 'submissions', after: null },
    });
    expect(answer).toMatchObject({
      file: 'submissions',
      records: [{ id, email: 'ada@example.org', consent: { text: expect.any(String) } }],
    });
    expect(JSON.stringify(answer)).not.toMatch(/spam|ip_hash/);
  });
});

describe('who sends a form with a tag', () => {
  test('and agrees is tagged by the school service, asked once a day for each address', async () => {
    const { id } = await send();
    expect((await matched(id, 'account_of_ada@example.org')).member_id).toBe('account_of_ada@example.org');
    const again = await send();
    await matched(again.id, 'account_of_ada@example.org');
    expect(school.asked).toHaveLength(2);
    expect(school.asked[0]).toMatchObject({
      email: 'ada@example.org',
      name: expect.stringMatching(/^Ada/),
      tag: 'newsletter',
    });
    const commits = school.asked.map(({ commit, tagging }) => [commit, tagging]);
    expect(commits[0]?.[0]).toBe(commits[1]?.[0]);
    expect(commits[0]?.[1]).not.toBe(commits[1]?.[1]);
  });

  test('as a member is tagged by id', async () => {
    await send({}, ada);
    for (let left = 200; left > 0 && school.asked.length === 0; left -= 1) await delay(5);
    expect(school.asked).toEqual([expect.objectContaining({ member: 'account_ada', tag: 'newsletter' })]);
    expect(school.asked[0]).not.toHaveProperty('email');
  });

  test('and does not agree, or looks like spam, is asked for nowhere, until the staff say that it is none', async () => {
    await send({ consent: false });
    const { id } = await send({ website: 'x' });
    await delay(50);
    expect(school.asked).toEqual([]);
    await service.call('POST', `${path}/${id}/accept`);
    expect((await matched(id, 'account_of_ada@example.org')).state).toBe('accepted');
  });

  test('is asked for again while the school service is away, and not where it refuses for good', async () => {
    school.isAway = true;
    const { id } = await send();
    await delay(50);
    school.isAway = false;
    expect((await matched(id, 'account_of_ada@example.org')).member_id).not.toBeNull();
    school.refused = 'too_many_tags';
    const other = await send();
    await delay(100);
    expect((await read(other.id)).body.member_id).toBeNull();
  });
});

test('other services hear of forms and submissions nothing that anybody wrote', async () => {
  const seen: { type: string; data: unknown }[] = [];
  const reading = service.channel.subscribe({
    consumer: 'test',
    source: 'content',
    from: async () => 0,
    handle: async ({ facts }) => void seen.push(...facts.map(({ type, data }) => ({ type, data }))),
  });
  const { id } = await send({ consent: false });
  await service.call('POST', `${path}/${id}/spam`);
  await service.call('DELETE', `${path}/${id}`);
  for (let left = 200; left > 0 && !seen.some(({ type }) => type === 'SubmissionDeleted'); left -= 1) await delay(5);
  await delay(20);
  const about = { submission_id: id, form_id: formIds.newsletter, page_id: expect.any(String) };
  expect(seen.filter(({ type }) => /Submi/.test(type))).toEqual([
    { type: 'FormSubmitted', data: { ...about, email_ref: id, consent: false, state: 'accepted' } },
    { type: 'SubmissionMarkedSpam', data: about },
    { type: 'SubmissionDeleted', data: about },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/ada@|Ada \d|SubjectErased/);
  await reading.close();
});
