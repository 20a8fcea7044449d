import { execute, fold } from '@lyceum/eventlog';
import { type Meta, isoTime, uuidv5 } from '@lyceum/kernel';
import { avatarList, avatarListOf } from '../avatar-lists/avatar-list.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import type { Upload } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

const system: Meta = { actor: 'system' };

/**
 * A person is erased: the avatars that they announced end at once, whatever names them, and their bytes go. What they
 * uploaded as one of the staff and another member has as avatar is about that person, and stays. They are found in the log:
 * read models are purged by the same erasure. Idempotent.
 */
export async function eraseAvatars(
  school: string,
  subject: string,
  { log, clock }: Pick<MediaPorts, 'log' | 'clock'>,
): Promise<void> {
  const { state } = await fold(log, avatarList, school, avatarListOf(subject));
  for (const { id, own } of state.present) {
    const { state: upload } = await fold(log, uploadDecider, school, id);
    if (!upload || (!own && isOfAnother(upload, subject))) continue;
    await execute(log, uploadDecider, {
      tenant: school,
      stream: id,
      command: { type: 'EraseUpload', id },
      at: isoTime(clock.now()),
      meta: system,
      commitId: uuidv5('erase-avatar', school, id),
    });
  }
}

/** Whether a member other than this one has a file as avatar. */
const isOfAnother = ({ holders }: Upload, subject: string): boolean =>
  holders.some((holder) => holder.startsWith('account_') && holder !== subject);
