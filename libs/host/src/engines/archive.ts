import type { ArchiveOptions } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import type { ProcessSettings } from '../settings/settings.ts';

const day = 24 * 3_600_000;

/** Which commits of a service's log are archived, and what operators hear of it; undefined where none are. */
export function archiveOf(
  { LOG_ARCHIVE_DAYS: days }: Pick<ProcessSettings, 'LOG_ARCHIVE_DAYS'>,
  service: string,
  logger: Logger,
): ArchiveOptions | undefined {
  if (days === undefined) return undefined;
  return {
    olderThan: days * day,
    onArchived: ({ commits, sizeBefore, sizeAfter }) =>
      logger.info(
        { service, commits, bytes_before: sizeBefore, bytes_after: sizeAfter },
        'old commits went to the archive of the event log',
      ),
    onFailed: (err) =>
      logger.error(
        { err, service },
        'old commits could not be archived; they stay where they are, and it is tried again',
      ),
  };
}
