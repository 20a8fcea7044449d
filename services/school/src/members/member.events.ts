import { fileReferenceEvents } from '@lyceum/contracts';
import { type EventOf, type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

const role = z.enum(['owner', 'admin', 'lecturer', 'member']);

/** Who did it: a member's id, `system` or `operator`. */
const by = z.string();

/** RFC 3339, a whole second: tokens issued before are void. */
const tokens_not_before = z.string();

/** Who the person is. Null once the person is erased. */
const person = {
  email: personal(z.string(), ofStream),
  /** The keyed hash under which the address is claimed and found. */
  email_key: z.string(),
  name: personal(z.string(), ofStream).optional(),
};

/** What may be changed about a member. An empty text or record clears: null would mean erased. */
export const memberChanges = z.object({
  name: personal(z.string(), ofStream).optional(),
  avatar: personal(z.string(), ofStream).optional(),
  bio: personal(z.string(), ofStream).optional(),
  note: personal(z.string(), ofStream).optional(),
  custom_fields: personal(z.record(z.string(), z.string()), ofStream).optional(),
  // Events of before have these two in plain text. Same shape, so no new version: both releases read both.
  tags: personal(z.array(z.string()), ofStream).optional(),
  marketing_consent: z
    .object({ value: z.boolean(), at: z.string(), source: personal(z.string(), ofStream) })
    .nullable()
    .optional(),
});

/** The facts of a member, in the stream named after the member's id: the id of the account and the `sub` of its tokens. */
export const memberEvents = {
  MemberInvited: { version: 1, data: z.object({ ...person, role, by }) },
  /** The invitation is sent once more. */
  InvitationRenewed: { version: 1, data: z.object({ by }) },
  MemberJoined: { version: 1, data: z.object({ ...person, role }) },
  MemberChanged: { version: 1, data: memberChanges },
  /** The avatar is a file of the school, or is it no longer: in clear, so that it is known what to release of an erased person. */
  ...fileReferenceEvents,
  /** The person signs in with another address from now on; the old one is free. */
  MemberReaddressed: { version: 1, data: z.object({ email: person.email, email_key: z.string() }) },
  MemberRoleChanged: { version: 1, data: z.object({ from: role, to: role, by, tokens_not_before }) },
  MemberSuspended: { version: 1, data: z.object({ by, tokens_not_before }) },
  MemberReinstated: { version: 1, data: z.object({ by, role }) },
  /** Nobody is this member any more, and the address is free. The key of what is personal is destroyed right after. */
  MemberErased: { version: 1, data: z.object({ by, tokens_not_before }) },
} as const satisfies EventTypes;

/** An event of a member. */
export type MemberEvent = EventOf<typeof memberEvents>;
