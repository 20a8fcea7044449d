import { type Documents, areAhead } from '@lyceum/documents';
import { type EventLog, inNewEpoch } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import type { DataFiles } from '@lyceum/operations';
import type { AnyModule } from '@lyceum/service';

/**
 * The log of a service as it goes on: in another epoch when its read models have seen commits that are not in it any more,
 * as after a disk that lost what it had acknowledged. Then everything that was made of it is made anew, here and elsewhere.
 * Only for a log in a file of this process: on a server the newest commits may be hidden for a moment, and come back.
 */
export async function afterLostCommits(
  { name, projected = [] }: Pick<AnyModule, 'name' | 'projected'>,
  { log, documents, files }: { readonly log: EventLog; readonly documents: Documents; readonly files: DataFiles },
  logger: Logger,
): Promise<EventLog> {
  const file = files.logs.find(({ service }) => service === name);
  const names = projected.flatMap(({ projections = [] }) => projections.map(({ collection }) => collection.name));
  if (!file || !(await areAhead(documents, log, name, names))) return log;
  logger.error(
    { service: name },
    'the event log lacks commits that its read models have seen: a new epoch of it begins, and they are built anew',
  );
  return inNewEpoch(log, file.database);
}
