import { setTimeout as pause } from 'node:timers/promises';
import kafkajs, { type Consumer, type Producer } from 'kafkajs';
import { Collection } from 'mongodb';
import type { CrashPoint, Fuse } from './crash-point.ts';

/** Milliseconds after which a process dies whose request is on its way: before it arrives, while it is done, or after. */
const underWay = 6;

/** What a driver sends, led past the fuse three times: before it is sent, when it is under way, when it is answered. */
const around =
  <Args extends readonly unknown[], T>(fuse: Fuse, point: CrashPoint, send: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    fuse.pass(point);
    const sent = send(...args);
    if (fuse.isLast(point)) {
      sent.catch(() => undefined);
      await pause(Math.random() * underWay);
    }
    fuse.pass(point);
    const answer = await sent;
    fuse.pass(point);
    return answer;
  };

const writes = ['insertOne', 'insertMany', 'bulkWrite', 'replaceOne', 'deleteOne', 'deleteMany'] as const;

/** Has the process die around a write to a MongoDB-wire server: a commit, a step of documents, a key. */
export function fuseMongodb(fuse: Fuse, point: CrashPoint): void {
  const prototype = Collection.prototype as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of writes) {
    const write = prototype[name]!;
    prototype[name] = function (this: Collection, ...args: unknown[]) {
      return around(fuse, point, write.bind(this))(...args);
    };
  }
}

/** Has the process die around what it sends to Kafka (C21), hears from there (C22) and says that it has handled (C23). */
export function fuseKafka(fuse: Fuse): void {
  const { prototype } = kafkajs.Kafka;
  const { producer, consumer } = prototype;
  prototype.producer = function (...args): Producer {
    const made = producer.apply(this, args);
    return { ...made, send: around(fuse, 'C21', made.send) };
  };
  prototype.consumer = function (...args): Consumer {
    const made = consumer.apply(this, args);
    const run: Consumer['run'] = ({ eachBatch, ...config } = {}) =>
      made.run({
        ...config,
        async eachBatch(payload) {
          fuse.pass('C22');
          await eachBatch!(payload);
          fuse.pass('C22');
        },
      });
    return { ...made, run, commitOffsets: around(fuse, 'C23', made.commitOffsets) };
  };
}
