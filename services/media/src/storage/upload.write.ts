import { type Expectation, fold } from '@lyceum/eventlog';
import { type Call, type Deciding, Problem, type Reply, type StatusTable, accepted, asOf, attempt } from '@lyceum/web';
import { Busy } from '../bytes/turns.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { quotaOf } from '../ports/media-settings.ts';
import { storageUse, storageUseStream } from '../storage-use/storage-use.ts';
import { purposes } from '../uploads/upload.purposes.ts';
import { type UploadCode, type UploadCommand, uploadDecider } from '../uploads/upload.ts';
import { judgeBytes } from './upload.completion.ts';
import { type LoadedUpload, type UploadReader, beside, loadUpload } from './upload.load.ts';
import type { RequestUpload } from './upload.schema.ts';
import { uploadDocument } from './upload.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const uploadRejections = {
  not_found: 404,
  invalid_state: 409,
  quota_exceeded: 507,
  in_use: 409,
} as const satisfies StatusTable<UploadCode>;

/** Who changes an upload, and with which commit. */
export type UploadWriting = Deciding & UploadReader;

/** How long bytes are awaited. Milliseconds. */
const awaited = 24 * 60 * 60 * 1_000;

/** The reply that shows an upload as it was loaded. */
export async function shown(
  { school }: Pick<Call, 'school'>,
  id: string,
  loaded: LoadedUpload,
  ports: MediaPorts,
): Promise<Reply> {
  const more = await beside({ school, id }, loaded.upload, ports);
  return { body: uploadDocument(loaded.upload, id, more), ...asOf(loaded) };
}

/** What an announcement counts under. `quota`: bytes that it may fill. `own`: an avatar of who announces it. */
export interface Conditions {
  readonly quota: number;
  readonly own: boolean;
  readonly expectedVersions: readonly Expectation[];
}

/**
 * Announces a file, and gives the id of its upload. Throws the problem why it may not be. `conditions` are read for every
 * attempt to write it, and not for a request that is repeated.
 */
export async function announce(
  call: UploadWriting,
  file: RequestUpload,
  ports: MediaPorts,
  conditions: () => Promise<Conditions> = async () => ({
    quota: quotaOf(ports.settings),
    own: false,
    expectedVersions: [],
  }),
): Promise<string> {
  const { school, principal } = call;
  const { access, largest, types } = purposes[file.purpose];
  if (file.size > largest) throw new Problem('payload_too_large', `A ${file.purpose} has at most ${largest} bytes`);
  if (!(types as readonly string[]).includes(file.content_type))
    throw new Problem('unsupported_media_type', `A ${file.purpose} is one of ${types.join(', ')}`);
  const expires_at = new Date(Date.parse(call.at) + awaited).toISOString();
  const upload = { ...file, access, expires_at, created_by: principal?.subject ?? '' };
  const id = ports.ids.next('upload');
  const command = async () => {
    const { quota, own, expectedVersions } = await conditions();
    const { state, version } = await fold(ports.log, storageUse, school, storageUseStream);
    return {
      command: { type: 'RequestUpload', id, upload, used: state.bytes, quota, own } as const,
      expectedVersions: [{ stream: storageUseStream, version }, ...expectedVersions],
    };
  };
  return accepted(await attempt(call, ports, uploadDecider, id, command), uploadRejections).stream;
}

/** Judges the bytes of an upload, when they are awaited still. Throws the problem while they are not those that were announced. */
export async function complete(call: UploadWriting, id: string, ports: MediaPorts): Promise<void> {
  await loadUpload(call, id, ports);
  await inTurn(id, ports, async () => {
    const { upload } = await loadUpload(call, id, ports);
    if (upload.state !== 'requested') return;
    if (upload.expires_at <= call.at) throw new Problem('invalid_state', 'The upload is expired');
    await decide(call, id, await judgeBytes({ school: call.school, id }, upload, ports), ports);
  });
}

/** Brings a command to an upload. Throws the problem that a rejection means. */
export async function decide(call: Deciding, id: string, command: UploadCommand, ports: MediaPorts) {
  return accepted(await attempt(call, ports, uploadDecider, id, command), uploadRejections);
}

/** Works on the file when nobody else does. */
export async function inTurn<T>(id: string, { turns }: Pick<MediaPorts, 'turns'>, work: () => Promise<T>): Promise<T> {
  try {
    return await turns.take(id, undefined, work);
  } catch (error) {
    if (error instanceof Busy) throw new Problem('invalid_state', 'The file is being checked: look again in a moment');
    throw error;
  }
}
