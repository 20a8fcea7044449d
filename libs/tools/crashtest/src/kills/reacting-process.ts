import { isoTime, systemClock } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fuse, isCrashPoint } from '../service/crash-point.ts';
import { startReactionService, streamsOfEach, tenants } from './reaction-service.ts';

/**
 * One run of a process that reacts. Arguments: data folder, crash point, passage at which it dies. Without a point it
 * asks nothing more, waits until everything is answered, and ends in peace.
 */
const [folder, point, passage] = process.argv.slice(2) as [string, string?, string?];
const fuse = isCrashPoint(point) ? new Fuse(point, Number(passage)) : new Fuse();

const service = await startReactionService(folder, fuse);
const { log } = service;

const ask = (tenant: string, stream: string) =>
  log.append({
    tenant,
    expectations: [],
    events: [{ stream, type: 'Asked', schema: 1, data: randomUUID() }],
    commitId: randomUUID(),
    fingerprint: '',
    at: isoTime(systemClock.now()),
    meta: { actor: 'test' },
  });

/** How many events of a type there are. */
async function count(type: string): Promise<number> {
  let found = 0;
  for (let lane = 0; lane < log.lanes; lane += 1)
    for (let after = 0; ;) {
      const commits = await log.readLane(lane, after, 500);
      if (commits.length === 0) break;
      after = commits.at(-1)!.position;
      found += commits.flatMap(({ events }) => events.filter((event) => event.type === type)).length;
    }
  return found;
}

if (isCrashPoint(point))
  for (;;) {
    for (const tenant of tenants)
      for (let at = 0; at < streamsOfEach; at += 1) {
        await ask(tenant, `ask-${at}`);
        await pause(8);
      }
  }
while ((await count('Answered')) < (await count('Asked'))) await pause(20);
await service.caughtUp();
await service.close();
