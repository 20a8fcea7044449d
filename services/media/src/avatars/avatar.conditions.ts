import { execute, fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { avatarList, avatarListOf, withinADay } from '../avatar-lists/avatar-list.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { quotaOf } from '../ports/media-settings.ts';
import type { Conditions, UploadWriting } from '../storage/upload.write.ts';
import type { Upload } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

/** Avatars that a member may announce in 24 hours: a replaced one takes of the school's quota for days. */
const most = 10;

/** The part of the school's quota that avatars may fill: the rest is the staff's. */
const share = 0.9;

type Announcing = Pick<UploadWriting, 'school' | 'at' | 'meta'>;

/**
 * What a member's next avatar is announced under. Ends what they announced and did not complete: one of each member is
 * awaited. Throws 429 beyond 10 in 24 hours, and 409 for somebody who is erased.
 */
export async function anotherAvatar(call: Announcing, member: string, ports: MediaPorts): Promise<Conditions> {
  const { school, at } = call;
  if ((await ports.vault.keyStatus(school, member)) === 'erased') throw new Problem('erased');
  const stream = avatarListOf(member);
  const { state, version } = await fold(ports.log, avatarList, school, stream);
  refuseMany(withinADay(state.announced, at), at);
  let ended = 0;
  for (const { id } of state.present.filter(({ own }) => own)) {
    const { state: upload } = await fold(ports.log, uploadDecider, school, id);
    if (!upload || upload.state === 'ready') continue;
    await end(call, id, upload, ports);
    ended += 1;
  }
  const quota = Math.floor(quotaOf(ports.settings) * share);
  // Each that ended is one event of the list. Whatever else happened to the list meanwhile has all this read again.
  return { quota, own: true, expectedVersions: [{ stream, version: version + ended }] };
}

function refuseMany(announced: readonly string[], at: string): void {
  const [first] = announced;
  if (announced.length < most || first === undefined) return;
  const wait = Math.ceil((Date.parse(first) + 86_400_000 - Date.parse(at)) / 1_000);
  throw new Problem('rate_limited', `At most ${most} avatars are announced in 24 hours`, {
    headers: { 'Retry-After': String(wait) },
  });
}

/** Ends an upload as it was seen: one that is completed meanwhile stays. */
const end = ({ school, meta }: Announcing, id: string, { version }: Upload, { log, clock }: MediaPorts) =>
  execute(log, uploadDecider, {
    tenant: school,
    stream: id,
    command: { type: 'DeleteUpload', id },
    at: isoTime(clock.now()),
    meta,
    commitId: uuidv5('replace-avatar', school, id),
    expected: [version],
  });
