import { type Answer, Client, Person, call } from '@lyceum/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { courseId } from './school-data.ts';
import { each } from './writing.ts';

/** A member with an account, enrolled in a course. */
export interface Learner {
  readonly token: string;
  /** Path of the enrollment's lessons. */
  readonly path: string;
  readonly lessons: readonly string[];
}

/** Where the school is, and where it is operated. */
interface School {
  readonly id: string;
  readonly url: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
}

const password = 'seven kites above the harbour';

/** Members who were invited, opened their accounts, and enrolled in some courses each, as anybody does. */
export async function learnersOf(school: School, people: number, courses: number): Promise<readonly Learner[]> {
  const client = await Client.register(school.url);
  const learners: Learner[] = [];
  await each(people, 2, async (index) => {
    const token = await joined(school, client, `learner.${index}@measured.test`);
    for (let course = 0; course < courses; course += 1) {
      const json = { course_id: courseId(index * courses + course) };
      // The services hear of a new member by integration events.
      const { body } = await patiently(201, () => call(`${school.url}/api/account/enrollments`, { token, json }));
      const path = `/api/account/enrollments/${body.id}/lessons`;
      const listed = await patiently(200, () => call(school.url + path, { token }));
      learners.push({ token, path, lessons: listed.body.data.map(({ id }: { id: string }) => id) });
    }
  });
  return learners;
}

/** A token of somebody who accepts an invitation. */
async function joined({ id, operatorUrl, operatorToken }: School, client: Client, email: string): Promise<string> {
  const json = { school: id, email, role: 'member' };
  const { body } = await patiently(201, () => call(`${operatorUrl}/internal/members`, { token: operatorToken, json }));
  const person = new Person();
  const done = await person.submit(await person.visit(body.invitation_url), { name: 'Invited Learner', password });
  if (done.status !== 200) throw new Error(`an invitation was answered ${done.status}: ${done.text.slice(0, 200)}`);
  return (await client.tokens(email, password, 'openid account:read account:write')).access_token;
}

/** The answer as soon as it has the status that it shall have; throws when it has not within ten seconds. */
async function patiently(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (const began = performance.now(); ; await delay(50)) {
    const answer = await ask();
    if (answer.status === status) return answer;
    if (performance.now() - began > 10_000)
      throw new Error(`answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  }
}
