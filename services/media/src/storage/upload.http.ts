import { fold } from '@lyceum/eventlog';
import { authors } from '@lyceum/service';
import {
  type Call,
  type Operation,
  Problem,
  type Reply,
  type StatusTable,
  accepted,
  asOf,
  attempt,
  operation,
} from '@lyceum/web';
import { Busy } from '../bytes/turns.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { quotaOf } from '../ports/media-settings.ts';
import { storageUse, storageUseStream } from '../storage-use/storage-use.ts';
import { judgeBytes } from './upload.completion.ts';
import { heldElsewhere } from '../keeping/file.holders.ts';
import { type LoadedUpload, beside, loadUpload } from './upload.load.ts';
import { purposes } from '../uploads/upload.purposes.ts';
import { requestUploadBody, uploadParams, uploadReply } from './upload.schema.ts';
import { type UploadCode, type UploadCommand, uploadDecider } from '../uploads/upload.ts';
import { uploadDocument } from './upload.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const uploadRejections = {
  not_found: 404,
  invalid_state: 409,
  quota_exceeded: 507,
  in_use: 409,
} as const satisfies StatusTable<UploadCode>;

const path = '/api/storage/uploads';
const one = `${path}/{upload}`;
/** How long bytes are awaited. Milliseconds. */
const awaited = 24 * 60 * 60 * 1_000;

const writing = { area: 'storage', scope: 'storage:write', anonymous: false, roles: authors } as const;

type Asked = Pick<Call, 'school' | 'principal'>;

async function shown({ school }: Asked, id: string, loaded: LoadedUpload, ports: MediaPorts): Promise<Reply> {
  const more = await beside({ school, id }, loaded.upload, ports);
  return { body: uploadDocument(loaded.upload, id, more), ...asOf(loaded) };
}

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
    async handle(call, { ids, log }) {
      const { school, principal, body } = call;
      const { access, largest, types } = purposes[body.purpose];
      if (body.size > largest) throw new Problem('payload_too_large', `A ${body.purpose} has at most ${largest} bytes`);
      if (!(types as readonly string[]).includes(body.content_type))
        throw new Problem('unsupported_media_type', `A ${body.purpose} is one of ${types.join(', ')}`);
      const expires_at = new Date(Date.parse(call.at) + awaited).toISOString();
      const upload = { ...body, access, expires_at, created_by: principal?.subject ?? '' };
      const id = ids.next('upload');
      const command = async () => {
        const { state, version } = await fold(log, storageUse, school, storageUseStream);
        const quota = quotaOf(ports.settings);
        return {
          command: { type: 'RequestUpload', id, upload, used: state.bytes, quota } as const,
          expectedVersions: [{ stream: storageUseStream, version }],
        };
      };
      const done = accepted(await attempt(call, ports, uploadDecider, id, command), uploadRejections);
      const reply = await shown(call, done.stream, await loadUpload(call, done.stream, ports), ports);
      return { ...reply, headers: { Location: `${path}/${done.stream}` } };
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

const complete = (ports: MediaPorts) =>
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
      await loadUpload(call, id, ports);
      return inTurn(id, ports, async () => {
        const { upload } = await loadUpload(call, id, ports);
        if (upload.state === 'requested') {
          if (upload.expires_at <= call.at) throw new Problem('invalid_state', 'The upload is expired');
          await decide(call, id, await judgeBytes({ school: call.school, id }, upload, ports), ports);
        }
        return shown(call, id, await loadUpload(call, id, ports), ports);
      });
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

async function decide(call: Parameters<typeof attempt>[0], id: string, command: UploadCommand, ports: MediaPorts) {
  return accepted(await attempt(call, ports, uploadDecider, id, command), uploadRejections);
}

/** Throws 409 for a file that something names, though the news of it has not arrived yet. */
async function refuseHeld({ school }: Asked, id: string, ports: Pick<MediaPorts, 'ask'>): Promise<void> {
  const held = await heldElsewhere(ports, school, [id]).catch((cause: unknown) => {
    throw new Problem('temporarily_unavailable', 'Nobody can say now whether something names the file', { cause });
  });
  if (held.has(id)) throw new Problem('in_use', 'Something names the file: let it name another one first');
}

/** Works on the file when nobody else does. */
async function inTurn<T>(id: string, { turns }: Pick<MediaPorts, 'turns'>, work: () => Promise<T>): Promise<T> {
  try {
    return await turns.take(id, undefined, work);
  } catch (error) {
    if (error instanceof Busy) throw new Problem('invalid_state', 'The file is being checked: look again in a moment');
    throw error;
  }
}

/** All operations on uploads. */
export const uploadOperations = (ports: MediaPorts): readonly Operation[] => [
  request(ports),
  get(ports),
  complete(ports),
  remove(ports),
];
