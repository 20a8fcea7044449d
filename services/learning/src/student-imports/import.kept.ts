import type { EventLog } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { importRowsEvents } from './import.events.ts';
import { importRowsStream } from './import.ts';
import type { ImportRow } from './import.rows.ts';

/** Bytes of compressed rows: encrypted and in base64 they fit into one commit with the errors of 5,000 others. */
const mostBytes = 384 * 1024;

/** Rows as they are kept until the import is over. Throws 413 when they say too much. */
export function packRows(rows: readonly ImportRow[]): string {
  const packed = deflateRawSync(JSON.stringify(rows));
  if (packed.length > mostBytes)
    throw new Problem('payload_too_large', 'The rows say too much for one import: split them');
  return packed.toString('base64');
}

/** The rows of an import; undefined once they are forgotten. */
export async function keptRows(
  log: Pick<EventLog, 'load'>,
  school: string,
  id: string,
): Promise<readonly ImportRow[] | undefined> {
  const { commits } = await log.load(school, [importRowsStream(id)]);
  const stream = importRowsStream(id);
  const [kept] = commits.flatMap(({ events }) => events.filter((event) => event.stream === stream));
  const rows = kept && upcast(importRowsEvents, kept).data.rows;
  return rows ? JSON.parse(inflateRawSync(Buffer.from(rows, 'base64')).toString('utf8')) : undefined;
}

/** The subject whose key the rows are encrypted with: nobody but the import. */
const prefix = 'subject-import_';

/** Whether a stream records that the rows of an import are forgotten: no other service knew of them. */
export const isForgettingOfRows = (stream: string): boolean => stream.startsWith(prefix);
