import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { grantFields } from '../grants/grant.ts';

const given = { member_id: z.string(), product_id: z.string() };

/** The facts of one member's access to one digital product, in a stream of the two. */
export const productAccessEvents = {
  AccessGranted: { version: 1, data: z.object({ ...given, ...grantFields.granted }) },
  AccessExtended: { version: 1, data: z.object({ ...given, ...grantFields.extended }) },
  /** Also of a grant that did not come yet: it will not count. */
  AccessRevoked: { version: 1, data: z.object({ ...given, ...grantFields.revoked }) },
  /**
   * The member got an address for a file, good until `expires_at` (RFC 3339). `n`: which of the member's downloads it is, from
   * 1; `used`: the same, counted anew since the member last had no access.
   */
  DownloadIssued: {
    version: 1,
    data: z.object({ ...given, file_id: z.string(), n: z.int(), used: z.int(), expires_at: z.string() }),
  },
} as const satisfies EventTypes;

/** An event of the access to a digital product. */
export type ProductAccessEvent = EventOf<typeof productAccessEvents>;
