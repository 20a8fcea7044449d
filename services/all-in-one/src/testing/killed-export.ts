import { expect } from '@jest/globals';
import { type Place, patience, until } from '@lyceum/testkit';
import { Exporting, unzipped } from './exporting.ts';
import { inForce } from './in-force.ts';

/** How processes of a split system end and begin, by name. */
interface Processes {
  killed(name: string): Promise<void>;
  launched(name: string): Promise<void>;
}

/** An export whose mail has no sender at first, and whose downloads lose a service on the way. */
export async function exportThroughKills(system: Place, { killed, launched }: Processes): Promise<void> {
  const zoe = await Exporting.open(system, 'zoe@killed-export.test');
  await killed('auth-consumer');
  const asked = await inForce(patience, zoe.request, ({ status }) => status === 202);
  expect(asked.status).toBe(202);
  await launched('auth-consumer');
  const [link, ...more] = await zoe.links();
  expect([typeof link, more]).toEqual(['string', []]);

  const whole: boolean[] = [];
  const refused: number[] = [];
  const over = new AbortController();
  const download = async () => {
    const answer = await zoe.download(link!).catch(() => undefined);
    // What comes to its end is a whole zip: `unzipped` rejects any other.
    if (answer?.status === 200) whole.push((await unzipped(answer)).has('index.json'));
    else refused.push(answer?.status ?? 0);
  };
  // One at a time: a second one of the same person would be told to wait, too.
  const downloading = (async () => {
    while (!over.signal.aborted) await download();
  })();
  try {
    await until(() => whole.length >= 3, 'three downloads');
    await killed('learning');
    await until(() => refused.includes(503), 'a refused download');
  } finally {
    over.abort();
    await downloading;
  }
  expect([[...new Set(whole)], refused.includes(503)]).toEqual([[true], true]);
  await launched('learning');
  const again = await inForce(
    patience,
    () => zoe.download(link!),
    ({ status }) => status === 200,
  );
  expect((await unzipped(again)).has('learning/enrollments.json')).toBe(true);
  expect(await zoe.links()).toHaveLength(1);
}
