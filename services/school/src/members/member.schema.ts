import { imageAddress, imageInput, line, paragraph, roles } from '@lyceum/contracts';
import { z } from 'zod';
import { memberStatuses } from './member.state.ts';

const unlessErased = 'null once the person is erased.';
const withoutRepeats = (values: string[]): string[] => [...new Set(values)];

const email = z.email().max(254).meta({ example: 'ada@example.org' });
const name = line(1, 200).meta({ example: 'Ada Byron' });
const role = z.enum(roles).meta({ description: 'What the person may do: owner > admin > lecturer > member.' });
/** As many tags a member may have. */
export const mostTags = 20;

const tags = z.array(line(1, 40)).overwrite(withoutRepeats).max(mostTags);
const customFields = z
  .record(z.string().regex(/^[a-z0-9_]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and _'), line(1, 500))
  .refine((fields) => Object.keys(fields).length <= 20, 'must have at most 20 fields')
  .meta({ description: 'Fields of your own: names of a-z, 0-9 and _, texts of at most 500 characters.' });

/** A member as clients read it. */
export const memberReply = z
  .object({
    id: z.string().meta({
      description: 'Also the `sub` of the person’s tokens.',
      example: 'account_0195a3c2-7d10-7abc-8def-0123456789ab',
    }),
    object: z.literal('member'),
    name: z.string().nullable().meta({ sees: 'member' }),
    avatar: imageAddress().nullable().meta({ sees: 'member' }),
    bio: z.string().nullable().meta({ sees: 'member' }),
    email: z.string().nullable().meta({ sees: 'staff', description: unlessErased }),
    role: role.meta({ sees: 'staff' }),
    status: z.enum(memberStatuses).meta({ sees: 'staff' }),
    tags: z.array(z.string()).meta({ sees: 'staff' }),
    custom_fields: z.record(z.string(), z.string()).meta({ sees: 'staff' }),
    note: z.string().nullable().meta({ sees: 'staff' }),
    marketing_consent: z
      .object({ value: z.boolean(), at: z.iso.datetime(), source: z.string() })
      .nullable()
      .meta({ sees: 'staff', description: 'null = never asked.' }),
    joined_at: z.iso.datetime().nullable().meta({ sees: 'staff', description: 'null = invited.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int().min(1).meta({ description: 'Also the ETag: send it in If-Match.' }),
  })
  .meta({ id: 'Member', description: 'A person of the school.' });

export const inviteMemberBody = z
  .strictObject({ email, name: name.optional(), role: role.default('member') })
  .meta({ id: 'InviteMember', example: { email: 'ada@example.org', name: 'Ada Byron', role: 'lecturer' } });

export const changeMemberBody = z
  .strictObject({
    name: name.nullable().optional(),
    avatar: imageInput().nullable().optional(),
    bio: paragraph(2000).nullable().optional(),
    note: paragraph(5000).nullable().optional(),
    tags: tags.nullable().optional(),
    custom_fields: customFields.nullable().optional(),
    marketing_consent: z.strictObject({ value: z.boolean(), source: line(1, 100) }).optional(),
  })
  .meta({
    id: 'ChangeMember',
    description:
      'JSON Merge Patch (RFC 7396), but custom_fields are replaced as a whole: what is left out stays, null clears.',
    example: { tags: ['evening group'], note: 'Prefers to be called.' },
  });

export type ChangeMemberBody = z.output<typeof changeMemberBody>;

export const setRoleBody = z.strictObject({ role }).meta({ id: 'SetRole', example: { role: 'admin' } });

/** An id; anything else names nobody. */
export const memberParams = z.object({
  member: z
    .string()
    .regex(/^account_[0-9a-f-]{36}$/)
    .meta({ description: 'Id of the member.', example: 'account_0195a3c2-7d10-7abc-8def-0123456789ab' }),
});

/** An address as a filter: exactly this one, in any spelling. */
export const emailFilter = email.optional().meta({ description: 'Exactly this address, in any spelling.' });
