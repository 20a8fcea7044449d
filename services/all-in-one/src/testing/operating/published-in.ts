import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads a topic from its beginning until all the courses were named in it, or the time is over: ids of those that were, and
 * how many records were about them.
 */
export async function publishedIn(
  brokers: string,
  topic: string,
  wanted: readonly string[],
  timeout: number,
): Promise<{ readonly seen: ReadonlySet<string>; readonly records: number }> {
  const kafka = new Kafka({ brokers: brokers.split(','), clientId: 'reader', logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `reader-${Date.now()}`, maxWaitTimeInMs: 250 });
  const missing = new Set(wanted);
  const seen = new Set<string>();
  const all = new Set(wanted);
  let records = 0;
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      async eachMessage({ message }) {
        const data = JSON.parse(message.value?.toString() || '{}') as { course_id?: string };
        if (data.course_id === undefined || !all.has(data.course_id)) return;
        records += 1;
        if (missing.delete(data.course_id)) seen.add(data.course_id);
      },
    });
    for (const began = Date.now(); missing.size > 0 && Date.now() - began < timeout;) await sleep(50);
    return { seen, records };
  } finally {
    await consumer.disconnect();
  }
}
