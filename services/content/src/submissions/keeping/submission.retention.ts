import { isoTime } from '@lyceum/kernel';
import { type BackgroundJob, forEachTenant, inRounds } from '@lyceum/service';
import type { ContentPorts, ContentServicePorts } from '../../ports/content-ports.ts';
import type { ContentSettings } from '../../ports/content-settings.ts';
import { deleteSubmission } from './submission.forgetting.ts';
import { submissions } from '../submission.rows.ts';

/** Milliseconds between two rounds, and how many submissions of a school one deletes. */
const [betweenRounds, atOnce] = [600_000, 200];

const day = 86_400_000;

type RetentionPorts = Pick<ContentPorts, 'log' | 'clock' | 'documents' | 'settings' | 'logger'>;

/** Deletes what was sent before the retention began. One school that cannot be looked after is left for the next round. */
export const deleteOutdated = (ports: RetentionPorts): Promise<void> =>
  forEachTenant(
    {
      documents: ports.documents,
      collection: submissions,
      onError: (err, school) =>
        ports.logger.error({ err, school }, 'the submissions of a school could not be looked after'),
    },
    (school) => deleteOutdatedOf(ports, school),
  );

async function deleteOutdatedOf(ports: RetentionPorts, school: string): Promise<void> {
  const { clock, settings, documents } = ports;
  const below = isoTime(clock.now() - settings.SUBMISSION_RETENTION_DAYS * day);
  const where = [{ field: 'created_at', below }];
  const sort = { field: 'created_at', descending: false };
  const { items } = await documents.query(submissions, school, { where, sort, limit: atOnce });
  for (const { id } of items) await deleteSubmission(ports, school, id, 'retention');
}

/** Deletes submissions that were kept long enough, a minute after the start and then every ten. */
export const deletingOutdated: BackgroundJob<ContentSettings, ContentServicePorts> = {
  name: 'retention-of-submissions',
  begin: (ports) =>
    inRounds(() => deleteOutdated(ports), {
      every: betweenRounds,
      onError: (err) => ports.logger.error({ err }, 'submissions could not be looked after'),
    }),
};
