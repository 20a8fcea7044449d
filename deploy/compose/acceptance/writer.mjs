// Somebody who writes while containers come and go, and then wants to see all that was acknowledged, once.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@lyceum/testkit';
import { base } from '../../cluster/acceptance/school.mjs';

/** Writes one lecturer after the other until it is ended; each is sent under its Idempotency-Key until it is acknowledged. */
export function startWriter(school) {
  const ending = new AbortController();
  const acknowledged = new Map();
  const send = (name, key) =>
    call(`${base}/api/lecturers`, {
      token: school.tokens.access_token,
      json: { display_name: name },
      headers: { 'idempotency-key': key },
    }).catch(() => ({ status: 0 }));
  const writing = (async () => {
    for (let count = 1; !ending.signal.aborted; count += 1) {
      const [name, key] = [`Lecturer ${count}`, randomUUID()];
      for (let isDone = false; !isDone && !ending.signal.aborted; await sleep(500)) {
        const { status, body } = await send(name, key);
        isDone = status === 201;
        if (isDone) acknowledged.set(name, body.id);
      }
    }
  })();
  return {
    async end() {
      ending.abort();
      await writing;
      return acknowledged;
    },
  };
}

/** All lecturers of a school, page by page. */
export async function lecturersOf(school) {
  const all = [];
  for (let cursor = ''; cursor !== null;) {
    const { status, body } = await call(`${base}/api/lecturers?limit=100${cursor && `&cursor=${cursor}`}`, {
      token: school.tokens.access_token,
    });
    if (status !== 200) throw new Error(`lecturers: ${status} ${JSON.stringify(body)}`);
    all.push(...body.data);
    cursor = body.next_cursor;
  }
  return all;
}
