import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Goal, PeerMissing, type Side } from './case.ts';
import { anyStream, data } from './workload.ts';

/** The part of emmett-sqlite that is measured. */
interface Emmett {
  getSQLiteEventStore(options: object): {
    appendToStream(stream: string, events: readonly object[]): Promise<unknown>;
  };
}

/** emmett-sqlite, `size` events in an append, one append at a time: it fails when several run at once. */
export const emmettSide = (size: number, goal?: Goal): Side => ({
  name: `emmett-sqlite, ${size} ${size === 1 ? 'event' : 'events'} an append`,
  ...(goal && { goal }),
  async open(folder) {
    const { getSQLiteEventStore } = await peer();
    await mkdir(folder, { recursive: true });
    const store = getSQLiteEventStore({
      fileName: join(folder, 'emmett.db'),
      schema: { autoMigration: 'CreateOrUpdate' },
    });
    const events = Array.from({ length: size }, () => ({ type: 'CourseDescribed', data }));
    return {
      async round(milliseconds) {
        let operations = 0;
        for (const end = performance.now() + milliseconds; performance.now() < end; operations += size)
          await store.appendToStream(`course-${anyStream()}`, events);
        return { operations };
      },
      // It offers no way to close its file.
      close: async () => undefined,
    };
  },
});

async function peer(): Promise<Emmett> {
  const require = createRequire(new URL('../peers/package.json', import.meta.url));
  try {
    return (await import(pathToFileURL(require.resolve('@event-driven-io/emmett-sqlite')).href)) as Emmett;
  } catch (error) {
    throw new PeerMissing(`${(error as Error).message.split('\n')[0]} (npm run bench:peers installs it)`);
  }
}
