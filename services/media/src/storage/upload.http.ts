import { authors } from '@lyceum/service';
import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import { heldElsewhere } from '../keeping/file.holders.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { loadUpload } from './upload.load.ts';
import { requestUploadBody, uploadParams, uploadReply } from './upload.schema.ts';
import { announce, complete, decide, inTurn, shown } from './upload.write.ts';

const path = '/api/storage/uploads';
const one = `${path}/{upload}`;

const writing = { area: 'storage', scope: 'storage:write', anonymous: false, roles: authors } as const;

const request = (ports: MediaPorts) =>
  operation({
    ...writing,
    id: 'requestUpload',
    method: 'POST',
    path,
    summary: 'Announce a file',
    description:
      'The answer has a signed address for the bytes, good for 15 minutes and without a token. Send them there by PUT, all at once or in parts; then complete the upload. The school’s quota counts it from now on; what is not completed within 24 hours is forgotten.',
    body: requestUploadBody,
    status: 201,
    reply: uploadReply,
    errors: ['payload_too_large', 'unsupported_media_type', 'quota_exceeded'],
    async handle(call) {
      const id = await announce(call, call.body, ports);
      const reply = await shown(call, id, await loadUpload(call, id, ports), ports);
      return { ...reply, headers: { Location: `${path}/${id}` } };
    },
  });

const get = (ports: MediaPorts) =>
  operation({
    ...writing,
    // Whoever is not known may know of no upload.
    anonymous: true,
    id: 'getUpload',
    method: 'GET',
    path: one,
    summary: 'Read an upload',
    description:
      'Of one’s own; owners and admins of everybody. With a new address for its bytes while they are awaited.',
    params: uploadParams,
    status: 200,
    reply: uploadReply,
    async handle(call) {
      const { upload: id } = call.params;
      return shown(call, id, await loadUpload(call, id, ports), ports);
    },
  });

const completeUpload = (ports: MediaPorts) =>
  operation({
    ...writing,
    id: 'completeUpload',
    method: 'POST',
    path: `${one}/complete`,
    summary: 'Complete an upload',
    description:
      'Says that all bytes are sent. They are compared with what was announced, and their type is read from them: the upload is then `ready`, or `rejected` with a reason; where files are scanned it is `scanning` first. Completing again changes nothing.',
    params: uploadParams,
    status: 200,
    reply: uploadReply,
    errors: ['size_mismatch', 'checksum_mismatch', 'invalid_state', 'temporarily_unavailable'],
    async handle(call) {
      const { upload: id } = call.params;
      await complete(call, id, ports);
      return shown(call, id, await loadUpload(call, id, ports), ports);
    },
  });

const remove = (ports: MediaPorts) =>
  operation({
    ...writing,
    id: 'deleteUpload',
    method: 'DELETE',
    path: one,
    summary: 'Delete an upload',
    description:
      'Cancels it while bytes are awaited, deletes the file afterwards: not one that something names. Its part of the quota is free again. A ready file that nothing has named for 7 days is deleted by itself.',
    params: uploadParams,
    status: 204,
    errors: ['in_use', 'temporarily_unavailable'],
    async handle(call) {
      const { upload: id } = call.params;
      await loadUpload(call, id, ports);
      return inTurn(id, ports, async () => {
        const { upload } = await loadUpload(call, id, ports);
        if (upload.state === 'ready') await refuseHeld(call, id, ports);
        const { lane, position } = await decide(call, id, { type: 'DeleteUpload', id }, ports);
        return { observed: { lane, position } };
      });
    },
  });

/** Throws 409 for a file that something names, though the news of it has not arrived yet. */
async function refuseHeld({ school }: Pick<Call, 'school'>, id: string, ports: Pick<MediaPorts, 'ask'>): Promise<void> {
  const held = await heldElsewhere(ports, school, [id]).catch((cause: unknown) => {
    throw new Problem('temporarily_unavailable', 'Nobody can say now whether something names the file', { cause });
  });
  if (held.has(id)) throw new Problem('in_use', 'Something names the file: let it name another one first');
}

/** All operations on uploads. */
export const uploadOperations = (ports: MediaPorts): readonly Operation[] => [
  request(ports),
  get(ports),
  completeUpload(ports),
  remove(ports),
];
