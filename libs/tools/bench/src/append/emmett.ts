import { messageOf, codeOf } from '@lyceum/kernel';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Goal, PeerMissing, type Side } from '../measuring/case.ts';
import { anyStream, data } from '../measuring/workload.ts';

/** The part of emmett-sqlite that is measured. */
interface Emmett {
  getSQLiteEventStore(options: object): {
    appendToStream(stream: string, events: readonly object[]): Promise<unknown>;
  };
}

/** Times that an append is tried. */
const tries = 5;

/**
 * emmett-sqlite, `size` events in an append, one append at a time: it fails when several run at once. Even so its own
 * start of a connection, which it does not wait for, makes a commit fail at times; such an append is tried again.
 */
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
          await again(() => store.appendToStream(`course-${anyStream()}`, events));
        return { operations };
      },
      // It offers no way to close its file.
      close: async () => undefined,
    };
  },
});

async function again(append: () => Promise<unknown>): Promise<void> {
  for (let left = tries - 1; ; left -= 1)
    try {
      return void (await append());
    } catch (error) {
      if (left === 0 || codeOf(error) !== 'SQLITE_BUSY') throw error;
    }
}

async function peer(): Promise<Emmett> {
  const require = createRequire(new URL('../../peers/package.json', import.meta.url));
  try {
    return (await import(pathToFileURL(require.resolve('@event-driven-io/emmett-sqlite')).href)) as Emmett;
  } catch (error) {
    throw new PeerMissing(`${messageOf(error).split('\n')[0]} (npm run bench:peers installs it)`);
  }
}
