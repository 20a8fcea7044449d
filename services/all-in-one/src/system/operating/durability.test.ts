import { describe, expect, test } from '@jest/globals';
import { Client, type System, call, startSystem } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { allCourses } from '../../testing/operating/writers.ts';

/** Kills in a run; a long one does 100. */
const kills = Number(process.env['KILLS'] ?? 5);

/** An acknowledged write: the course's id and title. */
type Acknowledged = Map<string, string>;

/** Writes courses with 8 callers until the server dies; remembers what was acknowledged. */
async function writeUntilDeath(base: string, token: string, round: number, acknowledged: Acknowledged): Promise<void> {
  await Promise.all(
    Array.from({ length: 8 }, async (_, caller) => {
      for (let number = 0; ; number += 1) {
        const title = `Kill ${round} caller ${caller} course ${number}`;
        const headers = { 'idempotency-key': `"${title}"` };
        const answer = await call(`${base}/api/courses`, { token, json: { title, access: 'free' }, headers }).catch(
          () => undefined,
        );
        if (!answer) return;
        if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        acknowledged.set(answer.body.id, title);
      }
    }),
  );
}

describe('kill -9', () => {
  test(
    `${kills} kills at random moments while courses are written: every acknowledged write is there exactly once`,
    async () => {
      let system: System = await startSystem();
      const acknowledged: Acknowledged = new Map();
      const client = await Client.register(system.baseUrl);
      const tokens = await client.tokens('owner@lantern.test', system.password, 'courses:read courses:write');
      let { access_token, refresh_token } = tokens;
      let refreshed = Date.now();
      for (let round = 0; round < kills; round += 1) {
        const writing = writeUntilDeath(system.baseUrl, access_token, round, acknowledged);
        // A slow machine has acknowledged nothing yet when a quick one has hundreds.
        const [before, began] = [acknowledged.size, Date.now()];
        while (acknowledged.size === before && Date.now() - began < 10_000) await sleep(5);
        await sleep(Math.random() * 230);
        await system.kill();
        await writing;
        system = await startSystem({ dataDir: system.dataDir, port: system.port });
        if (Date.now() - refreshed > 240_000) {
          ({ access_token, refresh_token } = (await client.refresh(refresh_token)).body);
          refreshed = Date.now();
        }
      }
      const courses = await allCourses(`${system.baseUrl}/api/courses`, access_token);
      const titles = courses.map(({ title }) => title);
      expect(new Set(courses.map(({ id }) => id)).size).toBe(courses.length);
      expect(new Set(titles.filter((title) => title.startsWith('Kill '))).size).toBe(
        titles.filter((title) => title.startsWith('Kill ')).length,
      );
      const byId = new Map(courses.map(({ id, title }) => [id, title]));
      const lost = [...acknowledged].filter(([id, title]) => byId.get(id) !== title);
      expect(acknowledged.size).toBeGreaterThan(kills);
      expect(lost).toEqual([]);

      // What was in flight at the last kill is asked for again with its key: done once, never twice.
      const [id, title] = [...acknowledged].at(-1)!;
      const headers = { 'idempotency-key': `"${title}"` };
      const again = await call(`${system.baseUrl}/api/courses`, {
        token: access_token,
        json: { title, access: 'free' },
        headers,
      });
      expect([again.status, again.body.id]).toEqual([201, id]);
      await system.stop();
    },
    300_000 + kills * 12_000,
  );
});
