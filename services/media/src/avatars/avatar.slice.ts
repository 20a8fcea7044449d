import type { Slice } from '@lyceum/service';
import type { MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { announceAvatar, completeAvatar } from './avatar.answers.ts';
import { eraseAvatars } from './avatar.erasure.ts';

/** The avatars that members upload for themselves: the school service, which shows them, asks. */
export const avatarSlice: Slice<MediaSettings, MediaServicePorts> = {
  name: 'avatars',
  operations: [],
  answers: { 'announce-avatar': announceAvatar, 'complete-avatar': completeAvatar },
  erased: eraseAvatars,
};
