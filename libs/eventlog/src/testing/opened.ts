import { type Database, openDatabase } from '@lyceum/sqlite';
import type { EventLog } from '../port.ts';

/** A log that can be closed and opened again. */
export async function reopenable(open: () => Promise<EventLog>) {
  let log = await open();
  return {
    log,
    reopen: async () => {
      await log.close();
      log = await open();
      return log;
    },
    dispose: () => log.close(),
  };
}

/** A file whose way to stable storage ends when the test says so, by `arrived`. */
export async function heldDatabase(file: string) {
  const real = await openDatabase(file, { durable: false });
  const way: { arrived?: () => void } = {};
  const held: Database = new Proxy(real, {
    get(target, key) {
      if (key === 'sync') return () => new Promise<void>((resolve) => (way.arrived = resolve));
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { held, way };
}
