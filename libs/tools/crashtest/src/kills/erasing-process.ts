import { storedJson } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { Fuse, isCrashPoint } from '../service/crash-point.ts';
import { type Part, startErasureService, reportedIn } from './erasure-service.ts';
import { fuseMongodb } from '../service/fused-drivers.ts';

/** What one run of the process does: its only argument, as JSON. */
export interface ErasingRun extends Part {
  readonly folder: string;
  /** Where it dies; without a point it ends in peace. */
  readonly point?: string;
  readonly passage?: number;
  /** Whom it erases. Else people join and every second one is erased, those first who have joined in earlier runs. */
  readonly erase?: readonly string[];
}

const run = storedJson<ErasingRun>(process.argv[2] ?? '');
const { folder, point, passage = 1, erase } = run;
const fuse = isCrashPoint(point) ? new Fuse(point, passage) : new Fuse();
if (point === 'C26') fuseMongodb(fuse, point);
const service = await startErasureService(folder, fuse, run);

/** Somebody who has joined and is not yet to be erased. */
function* remaining(): Generator<string> {
  const told = reportedIn(folder);
  const asked = new Set(told.filter(([word]) => word === 'asked').map(([, person]) => person));
  const joined = told.filter(([word]) => word === 'joined').map(([, person]) => person);
  for (const [index, person] of joined.entries()) if (index % 2 === 1 && !asked.has(person)) yield person;
}

for (const person of erase ?? []) await service.erase(person);
if (isCrashPoint(point) && !erase)
  for (const rest = remaining(); ;) {
    const before = rest.next().value;
    if (before !== undefined) await service.erase(before);
    for (const person of [randomUUID(), randomUUID()]) {
      await service.join(person, randomUUID());
      service.tell('joined', person);
      if (before === undefined && person.charCodeAt(0) % 2 === 0) await service.erase(person);
    }
  }
await service.model?.caughtUp();
await service.close();
