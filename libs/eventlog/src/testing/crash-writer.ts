import { randomUUID } from 'node:crypto';
import { sqliteEventLog } from '../sqlite/sqlite.ts';
import { archiveAll } from './archived.ts';
import { noted, sampleAppend } from './sample.ts';

/**
 * The process that the crash test kills: 8 callers append for ever, and every acknowledged commit is printed as
 * `<lane> <position> <commit id>` once its append has resolved. Arguments: the log's file; `archive` when the log archives
 * whatever it can meanwhile.
 */
// Few gather, so that a kill often meets commits on their way from the journal to the tables.
const [file, archives] = process.argv.slice(2);
const archive = archives === undefined ? {} : { archive: { ...archiveAll, together: 8_000, room: 2_000 } };
const log = await sqliteEventLog({ file: file!, gather: 32, ...archive });

async function caller(index: number): Promise<never> {
  for (;;) {
    const streams = [`note-${index}`, `shared-${index % 2}`, randomUUID()];
    const tenant = `school_${index % 3}`;
    const { commit } = await log.append(sampleAppend({ tenant, events: streams.map((stream) => noted(stream)) }));
    process.stdout.write(`${commit.lane} ${commit.position} ${commit.commitId}\n`);
  }
}

process.stdout.write('open\n');
await Promise.all(Array.from({ length: 8 }, (_, index) => caller(index)));
