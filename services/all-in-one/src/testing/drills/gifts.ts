import { type Answer, type Place, call } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus, inForce } from '../in-force.ts';
import { operateSales } from '../selling/sales-operator.ts';

/** Milliseconds in which what was published is known everywhere, on a busy machine. */
const patience = 60_000;

/** How many give at the same time. */
const givers = 3;

/** Who looks and writes. */
export interface Callers {
  readonly staff: string;
  readonly student: string;
  /** The id of the student. */
  readonly member: string;
}

/**
 * Courses that are published and given to a student, some at the same time, while lists of the learning service are read all
 * the time. Nothing is tried again: what is refused is noted.
 */
export class Gifts {
  /** Courses that were given. */
  readonly given: string[] = [];
  /** Requests that were not answered as they should be. */
  readonly refused: string[] = [];
  /** How many requests were answered. */
  answered = 0;
  readonly #system: Place;
  readonly #callers: Callers;

  constructor(system: Place, callers: Callers) {
    this.#system = system;
    this.#callers = callers;
  }

  /** Goes on until the signal; resolves when everybody is done. */
  async run(until: AbortSignal): Promise<void> {
    const { staff, student } = this.#callers;
    const lists = [
      ['/students', staff],
      ['/account/enrollments', student],
    ] as const;
    const reading = lists.map(async ([path, token]) => {
      for (; !until.aborted; await sleep(50)) await this.#ask(200, path, { token });
    });
    const giving = Array.from({ length: givers }, async (_, giver) => {
      for (let number = 0; !until.aborted; number += 1) await this.#give(`Gift ${number} of ${giver}`);
    });
    await Promise.all([...reading, ...giving]);
  }

  async #give(title: string): Promise<void> {
    const { staff: token, member } = this.#callers;
    const made = await this.#ask(201, '/courses/first-steps/duplicate', { token, json: { title } });
    const id = made?.body.id as string | undefined;
    if (id === undefined) return;
    await this.#ask(200, `/courses/${id}/publish`, { token, method: 'POST' });
    const json = { member_id: member, items: [{ item_type: 'course', item_id: id }], reason: title };
    // Commerce hears of a course after it was published: until then it has nothing to give.
    const order = () => operateSales(this.#system, 'orders', json, `"${title}"`);
    const { status, body } = await inForce(patience, order, hasStatus(201));
    if (status === 201) this.given.push(id);
    else this.refused.push(`${title}: ${status} ${JSON.stringify(body)}`);
  }

  async #ask(status: number, path: string, options: Parameters<typeof call>[1]): Promise<Answer | undefined> {
    const answer = await call(`${this.#system.baseUrl}/api${path}`, options).catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status === status) {
      this.answered += 1;
      return answer;
    }
    this.refused.push(`${path}: ${typeof answer === 'string' ? answer : JSON.stringify([answer.status, answer.body])}`);
    return undefined;
  }
}
