import { imageAddress, imageInput, line, link, paragraph } from '@lyceum/contracts';
import { z } from 'zod';
import { slug } from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';

const members = membersOf('lecturer', 'lecturer');

const field = {
  display_name: line(1, 120).meta({ example: 'Ana Duarte' }),
  title: line(0, 120).nullable().meta({ example: 'Paper artist' }),
  bio: paragraph(5000).nullable(),
  avatar: imageAddress().nullable(),
  links: z.array(link).max(8),
  position: z.int().min(0).max(1_000_000).meta({ description: 'Place among the lecturers; the smallest comes first.' }),
  contact_email: z.email().max(254).nullable(),
};

/** A lecturer as clients read it. */
export const lecturerReply = z
  .object({
    ...members.first,
    ...field,
    slug,
    course_ids: z.array(z.string()).meta({ description: 'The public courses that the person teaches.' }),
    contact_email: field.contact_email.meta(staff),
    member_id: z
      .string()
      .nullable()
      .meta({ ...staff, description: 'The member who signs in as this lecturer.' }),
    status: z.enum(['active', 'archived']).meta(staff),
    ...members.last,
  })
  .meta({ id: 'Lecturer', description: 'The profile of somebody who teaches.' });

/** A lecturer as clients read it, after parsing. */
export type LecturerReply = z.output<typeof lecturerReply>;

/** A lecturer in a list. */
export const lecturerItem = lecturerReply
  .omit({ course_ids: true })
  .meta({ id: 'LecturerItem', description: 'A lecturer in a list: without the courses.' });

const settable = {
  slug: slug.optional(),
  title: field.title.optional(),
  bio: field.bio.optional(),
  avatar: imageInput().nullable().optional(),
  links: field.links.nullable().optional(),
  position: field.position.optional(),
  contact_email: field.contact_email.optional(),
};

/** The body that adds a lecturer. */
export const addLecturerBody = z.strictObject({ display_name: field.display_name, ...settable }).meta({
  id: 'AddLecturer',
  description: 'Only the name is needed. Without a slug one is made from it.',
  example: { display_name: 'Ana Duarte', title: 'Paper artist' },
});

/** The body that changes a lecturer. */
export const changeLecturerBody = mergePatch(
  { display_name: field.display_name.optional(), ...settable },
  { id: 'ChangeLecturer', example: { bio: 'Folds, cuts and lights paper.' } },
);

/** The body that links a lecturer to a member, or unlinks. */
export const linkLecturerBody = z
  .strictObject({
    member_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id')
      .nullable(),
  })
  .meta({ id: 'LinkLecturer', description: 'null unlinks.', example: { member_id: 'account_1' } });
