import { type MongoOptions, openMongo } from './mongodb-connection.ts';
import { inTime } from './mongodb-time.ts';

/** Asks the server whether it is there and lets us in. Throws the driver's error otherwise, after 2 seconds at most. */
export async function reachMongo(options: MongoOptions): Promise<void> {
  const connection = await openMongo(options);
  try {
    // A name that nobody reads: only whoever is let in gets an answer.
    await connection
      .database('admin')
      .command({ listDatabases: 1, nameOnly: true, filter: { name: 'admin' } }, inTime());
  } finally {
    await connection.release();
  }
}

/**
 * Asks the server whether it answers, for a process that it has let in before: to list databases may take long. Throws as
 * `reachMongo` does.
 */
export async function pingMongo(options: MongoOptions): Promise<void> {
  const connection = await openMongo(options);
  try {
    await connection.database('admin').command({ ping: 1 }, inTime());
  } finally {
    await connection.release();
  }
}

/** Names of the databases that begin so, as far as we may see them. Throws the driver's error, after some seconds at most. */
export async function mongoDatabases(options: MongoOptions, beginning: string): Promise<readonly string[]> {
  const connection = await openMongo(options);
  try {
    const found = await connection.database('admin').command({ listDatabases: 1, nameOnly: true }, inTime());
    const names = (found['databases'] as readonly { readonly name: string }[]).map(({ name }) => name);
    return names.filter((name) => name.startsWith(beginning));
  } finally {
    await connection.release();
  }
}
