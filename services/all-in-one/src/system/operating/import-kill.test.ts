import { expect, test } from '@jest/globals';
import { Client, call, loopbackFetch, patience, startSystem } from '@lyceum/testkit';
import { inForce } from '../../testing/in-force.ts';

const rows = 300;
const file = ['email,name', ...Array.from({ length: rows }, (_, at) => `person${at}@example.org,Person ${at}`)].join(
  '\r\n',
);

test('kill -9 in the middle of an import: it goes on where it was, nobody is missing and nobody is there twice', async () => {
  const first = await startSystem();
  const { dataDir, port, baseUrl, password } = first;
  const client = await Client.register(baseUrl);
  const scopes = 'students:read students:write courses:read';
  const { access_token: token } = await client.tokens('owner@lantern.test', password, scopes);
  const api = async (path: string) => (await call(`${baseUrl}/api${path}`, { token })).body;
  const course = (await api('/courses?access=free')).data[0].id as string;
  const begun = await loopbackFetch(`${baseUrl}/api/student_imports?course_ids=${course}`, {
    method: 'POST',
    body: file,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  });
  expect(begun.status).toBe(202);
  const { id } = (await begun.json()) as { id: string };
  const progress = async () => (await api(`/student_imports/${id}`)) as { status: string; processed: number };
  const { status, processed } = await inForce(patience, progress, (now) => now.processed > 0);
  await first.kill();
  expect([status, processed > 0 && processed < rows]).toEqual(['running', true]);

  const second = await startSystem({ dataDir, port });
  try {
    const over = await inForce(patience, progress, (now) => now.status !== 'running');
    expect(over).toMatchObject({
      status: 'completed',
      processed: rows,
      invited: rows,
      enrolled: rows,
      unchanged: 0,
      failed: 0,
    });
    const found = new Map<string, number>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await api(`/students?course_id=${course}&limit=100${more}`);
      for (const { email, enrollments } of page.data)
        if (email.startsWith('person')) {
          expect(found.has(email)).toBe(false);
          found.set(email, enrollments[0].grants.length);
        }
      cursor = page.next_cursor;
    }
    expect([found.size, [...found.values()].every((grants) => grants === 1)]).toEqual([rows, true]);
  } finally {
    await second.stop();
  }
}, 240_000);
