import { readFileSync, writeSync } from 'node:fs';
import { CheckpointFenced } from '@lyceum/documents';
import { call, callers } from '../callers/callers.ts';
import { Fuse, isCrashPoint } from '../service/crash-point.ts';
import { startMiniService } from '../service/mini-service.ts';
import { acknowledgedIn, lineOf } from '../callers/request.ts';
import { fused } from '../service/seams.ts';
import { serversOf } from '../service/servers.ts';

/**
 * One run of the process that the proof kills. Arguments: data folder, seed, file that holds what was acknowledged
 * (which is also its standard output), crash point, passage at which it dies. Without a point it answers what earlier
 * runs left open, lets everything go all its ways, and ends in peace.
 */
const [folder, seed, acknowledged, point, passage] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
  string?,
];
const isLast = !isCrashPoint(point);
const fuse = isLast ? new Fuse() : new Fuse(point, Number(passage));

// The drivers take most of the processor time of a start: only who has servers loads them.
const { mongodb, kafka } = serversOf(folder);
if (mongodb || kafka) {
  const { fuseKafka, fuseMongodb } = await import('../service/fused-drivers.ts');
  if (mongodb) fuseMongodb(fuse, 'C20');
  if (kafka) fuseKafka(fuse);
}

/** Synchronous: what is written here is known outside, whatever happens next. */
const tell = (line: string): void => void writeSync(1, line);

const answers = acknowledgedIn(readFileSync(acknowledged, 'utf8'));
const service = await startMiniService(folder, {
  ...fused(fuse),
  redelivered: () => tell('again\n'),
  failed(error) {
    // Of two relays, one is always fenced.
    if (point === 'C7' && error instanceof CheckpointFenced) return;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  },
});
await Promise.all(
  Array.from({ length: callers }, (_, caller) => {
    const answered = answers.filter(({ name }) => name.startsWith(`${caller}-`)).length;
    const until = isLast ? answered + 1 : Infinity;
    return call(service.log, { seed, caller, answered, until }, (answer) => tell(lineOf(answer)));
  }),
);
await service.caughtUp();
await service.close();
