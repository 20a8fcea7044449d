import { instant } from '@lyceum/contracts';
import { staff } from '@lyceum/service';
import { z } from 'zod';

/** Whether there is access now. */
const accessStates = ['active', 'lapsed'] as const;

/** A grant as the staff read it. */
const grantReply = z
  .object({
    source_type: z.string().meta({ description: 'staff, free, order_line or subscription.' }),
    source_id: z.string(),
    starts_at: z.iso.datetime().nullable().meta({ description: 'null = revoked before it came, or still to come.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'null = for ever.' }),
    state: z
      .enum(['live', 'expired', 'revoked', 'awaiting_seat'])
      .meta({ description: 'awaiting_seat = there is access by it once a seat of the course is free.' }),
  })
  .meta({ id: 'Grant', description: 'One reason why there is access.' });

/** What clients read of somebody's access to something. */
export const accessMembers = {
  state: z.enum(accessStates).meta({ description: 'active = there is access now.' }),
  starts_at: z.iso.datetime().nullable().meta({ description: 'Since when; null without access.' }),
  expires_at: z.iso.datetime().nullable().meta({ description: 'Until when; null = for ever, or without access.' }),
};

/** The grants that access follows from. */
export const grantsReply = z.array(grantReply).meta({ ...staff, description: 'Access is any of them that is live.' });

/** When access is to end. */
export const accessEnd = instant().nullable().meta({ description: 'null = never.' });

/** The body that extends what the staff gave. */
export const extendBody = z
  .strictObject({ expires_at: accessEnd })
  .meta({ id: 'ExtendEnrollment', example: { expires_at: '2027-06-30T22:00:00Z' } });
