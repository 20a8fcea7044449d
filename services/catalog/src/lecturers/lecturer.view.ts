import { imagePath, isFileId } from '@lyceum/contracts';
import type { View } from '@lyceum/web';
import type { LecturerReply } from './lecturer.schema.ts';
import type { Lecturer } from './lecturer.state.ts';

type StaffField = 'contact_email' | 'member_id' | 'status';
type Shown = Omit<LecturerReply, StaffField | 'course_ids'> & Partial<LecturerReply>;

/** A lecturer as a view shows it. What only staff see is absent from the others, not null. */
export function lecturerDocument(lecturer: Lecturer, view: View, id: string): Shown {
  const {
    slugs: _slugs,
    avatar_file: _file,
    member_id,
    status,
    contact_email,
    display_name,
    links,
    ...open
  } = lecturer;
  return {
    ...open,
    id,
    object: 'lecturer',
    display_name: display_name ?? '',
    title: open.title || null,
    bio: open.bio || null,
    avatar: isFileId(open.avatar) ? imagePath(open.avatar) : open.avatar || null,
    links: (links ?? []).map((link) => ({ ...link })),
    ...(view === 'staff' ? { member_id, status, contact_email: contact_email || null } : {}),
    view,
  };
}
