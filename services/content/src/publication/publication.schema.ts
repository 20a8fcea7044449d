import { instant } from '@lyceum/contracts';
import { staff } from '@lyceum/service';
import { z } from 'zod';
import { publicationStatuses } from './publication.state.ts';

/** What clients read of everything that is published. */
export const publicationMembers = {
  published_at: z.iso.datetime().nullable().meta({ description: 'First publication.' }),
  status: z.enum(publicationStatuses).meta(staff),
  scheduled_for: z.iso
    .datetime()
    .nullable()
    .meta({ ...staff, description: 'When the draft is published by itself.' }),
  unpublished_changes: z.boolean().meta({ ...staff, description: 'Whether the draft is another than what is public.' }),
  revisions: z
    .array(
      z
        .object({
          revision: z.int(),
          published_at: z.iso.datetime(),
          of: z.int().optional().meta({ description: 'The revision that was rolled back to.' }),
        })
        .meta({ id: 'Revision' }),
    )
    .meta({ ...staff, description: 'What can be rolled back to, newest first: the last twenty.' }),
};

/** The body that says when a draft is published. */
export const scheduleBody = z
  .strictObject({ scheduled_for: instant().nullable().meta({ description: 'null = not by itself.' }) })
  .meta({ id: 'Schedule', example: { scheduled_for: '2027-01-04T08:00:00Z' } });

/** The body that publishes an earlier revision again. */
export const rollbackBody = z
  .strictObject({ revision: z.int().min(1) })
  .meta({ id: 'Rollback', example: { revision: 1 } });
