import { imagePath } from '@lyceum/contracts';
import { type Call, type Deciding, type Operation, type Ports, accepted, asOf, attempt, operation } from '@lyceum/web';
import { memberDecider } from '../members/member.ts';
import { type AskingPorts, type AvatarUpload, askForAvatar } from './avatar.media.ts';
import { announceAvatarBody, avatarParams, avatarReply } from './avatar.schema.ts';

const path = '/api/account/avatar';
// Nobody sees more of their own avatar for being staff.
const own = { area: 'account', scope: 'account:write', anonymous: false, staff: [] } as const;

function callerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Error('an operation on an account takes no anonymous calls');
  return principal.subject;
}

const shown = ({ issuer }: Pick<Call, 'issuer'>, upload: AvatarUpload) => ({
  object: 'avatar',
  ...upload,
  avatar: upload.state === 'ready' ? issuer + imagePath(upload.id) : null,
  view: 'member',
});

/** The wish of a call, as the media service is told. */
const wishOf = (call: Pick<Call, 'school' | 'principal' | 'commit'>) => ({
  school: call.school,
  member: callerOf(call),
  commit: call.commit.commitId,
  fingerprint: call.commit.fingerprint,
});

const announce = (asking: AskingPorts): Operation =>
  operation({
    ...own,
    id: 'announceOwnAvatar',
    method: 'POST',
    path,
    summary: 'Announce your avatar',
    description:
      'The answer has a signed address for the bytes, good for 15 minutes and without a token. Send them there by PUT, then complete the upload. One that you announced before and did not complete ends. At most 10 in 24 hours; 507 when nine tenths of what the school may have in storage are taken.',
    body: announceAvatarBody,
    status: 201,
    reply: avatarReply,
    errors: ['erased', 'quota_exceeded', 'rate_limited', 'temporarily_unavailable'],
    async handle(call) {
      const upload = await askForAvatar(asking, { kind: 'announce-avatar', ...wishOf(call), file: call.body });
      return { body: shown(call, upload) };
    },
  });

const complete = (asking: AskingPorts): Operation =>
  operation({
    ...own,
    id: 'completeOwnAvatar',
    method: 'POST',
    path: `${path}/{upload}/complete`,
    summary: 'Complete your avatar',
    description:
      'Says that all bytes are sent. They are compared with what was announced, and their type is read from them; then the image is your avatar, and the one before is deleted within days.',
    params: avatarParams,
    status: 200,
    reply: avatarReply,
    errors: ['checksum_mismatch', 'erased', 'invalid_state', 'not_found', 'size_mismatch', 'temporarily_unavailable'],
    async handle(call, ports) {
      const wish = { kind: 'complete-avatar', ...wishOf(call), upload: call.params.upload } as const;
      const upload = await askForAvatar(asking, wish);
      if (upload.state !== 'ready') return { body: shown(call, upload) };
      return { body: shown(call, upload), ...(await name(call, ports, upload.id)) };
    },
  });

const statuses = { not_found: 404, email_taken: 409, invalid_state: 409, erased: 409 } as const;

/** Makes a file the caller's avatar; an empty text makes none of it. */
async function name(call: Deciding & Pick<Call, 'principal'>, ports: Ports, avatar: string) {
  const command = { type: 'ChangeMember', changes: { avatar } } as const;
  const done = accepted(await attempt(call, ports, memberDecider, callerOf(call), command), statuses);
  return { observed: asOf(done).observed };
}

const remove = operation({
  ...own,
  id: 'removeOwnAvatar',
  method: 'DELETE',
  path,
  summary: 'Remove your avatar',
  description: 'Also one that the school chose. The image is deleted within days.',
  status: 204,
  errors: ['erased', 'not_found'],
  handle: (call, ports) => name(call, ports, ''),
});

/** What members do about their own avatar. */
export const avatarOperations = (ports: AskingPorts): readonly Operation[] => [
  announce(ports),
  complete(ports),
  remove,
];
