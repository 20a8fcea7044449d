import { type Answer, call } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';

/** How courses are written. */
export interface Writing {
  readonly callers: number;
  /** Courses that are begun in a second, however long they take, as long as a caller is free; else each when its last is done. */
  readonly perSecond?: number;
  /** Whether each course is published too, so that a fact about it crosses. */
  readonly publish: boolean;
  /** Seconds, or until the signal. */
  readonly seconds?: number;
  readonly until?: AbortSignal;
}

/** What became of the writes. */
export interface Written {
  /** Title by id. */
  readonly acknowledged: Map<string, string>;
  /** Every other answer, before it was tried again. */
  readonly refused: string[];
}

/**
 * Writes courses one after the other with each caller, or at a steady rate by whoever is free. What is not acknowledged is asked for again with the same
 * Idempotency-Key until it is, so at the end every title was acknowledged once.
 */
export async function writeCourses(courses: string, token: string, writing: Writing): Promise<Written> {
  const { callers, publish, perSecond, seconds = Infinity } = writing;
  const written: Written = { acknowledged: new Map(), refused: [] };
  const began = Date.now();
  const end = began + seconds * 1_000;
  let begun = 0;
  const isDue = async (): Promise<void> => {
    if (perSecond === undefined) return;
    begun += 1;
    await sleep(Math.max(0, began + (begun / perSecond) * 1_000 - Date.now()));
  };
  const batch = Date.now().toString(36);
  const write = async (caller: number) => {
    for (let number = 0; Date.now() < end && !writing.until?.aborted; number += 1) {
      await isDue();
      if (Date.now() >= end) return;
      const title = `Batch ${batch} caller ${caller} course ${number}`;
      // What is published has to be complete: a copy of a demo course has lessons and a lecturer.
      const [to, json] = publish
        ? [`${courses}/first-steps/duplicate`, { title }]
        : [courses, { title, summary: 'Written.', access: 'free' }];
      const { id } = await insist(() => post(to, token, title, json), 201, written);
      if (publish) await insist(() => post(`${courses}/${id}/publish`, token, `${title} published`), 200, written);
      written.acknowledged.set(id, title);
      if (perSecond === undefined) await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => write(caller)));
  return written;
}

const post = (url: string, token: string, key: string, json?: unknown): Promise<Answer> =>
  call(url, { method: 'POST', token, headers: { 'idempotency-key': `"${key}"` }, ...(json ? { json } : {}) });

async function insist(ask: () => Promise<Answer>, status: number, { refused }: Written): Promise<Answer['body']> {
  for (;;) {
    const answer = await ask().catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status === status) return answer.body;
    refused.push(typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`);
    await sleep(100);
  }
}

/** Every course that the token's holder sees, through the paged list. */
export async function allCourses(courses: string, token: string): Promise<{ id: string; title: string }[]> {
  const found: { id: string; title: string }[] = [];
  for (let next = `${courses}?limit=100`; next;) {
    const { status, body } = await call(next, { token });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    found.push(...body.data);
    next = body.next_cursor ? `${courses}?limit=100&cursor=${encodeURIComponent(body.next_cursor)}` : '';
  }
  return found;
}
