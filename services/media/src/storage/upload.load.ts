import { mediaPaths } from '@lyceum/contracts';
import { type Folded, fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import { type Call, Problem } from '@lyceum/web';
import type { MediaPorts } from '../ports/media-ports.ts';
import type { Beside } from './upload.view.ts';
import type { Upload, UploadState } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

/** An upload as the log has it now. */
export interface LoadedUpload extends Omit<Folded<UploadState>, 'state'> {
  readonly upload: Upload;
}

/** Who reads an upload; undefined = whoever is not known. */
export interface UploadReader {
  readonly school: string;
  readonly principal: Pick<NonNullable<Call['principal']>, 'subject' | 'role'> | undefined;
}

/** Whether there is anything left to know of an upload. */
const isThere = (upload: UploadState): upload is Upload =>
  upload !== null && upload.state !== 'deleted' && upload.state !== 'cancelled';

/** The upload of this id, for those who may change it: lecturers their own. Throws 404 for everybody else. */
export async function loadUpload(
  { school, principal }: UploadReader,
  id: string,
  { log }: Pick<MediaPorts, 'log'>,
): Promise<LoadedUpload> {
  if (!principal || !id.startsWith('upload_')) throw new Problem('not_found');
  const { state: upload, ...found } = await fold(log, uploadDecider, school, id);
  if (!isThere(upload)) throw new Problem('not_found');
  if (!heads.includes(principal.role) && upload.created_by !== principal.subject) throw new Problem('not_found');
  return { ...found, upload };
}

/** Seconds that an address is good for which bytes are sent to, and one of a private file. */
const [sendFor, readFor] = [15 * 60, 60 * 60];

/** Where the bytes of an upload go, how many have arrived, and where they are read. */
export async function beside(
  { school, id }: { readonly school: string; readonly id: string },
  { state, size, sha256, access, expires_at: until }: Upload,
  { store, signed, clock, trust }: Pick<MediaPorts, 'store' | 'signed' | 'clock' | 'trust'>,
): Promise<Beside> {
  const at = (path: string): string => `${trust.school(school)?.issuer ?? ''}${path}`;
  const now = Math.floor(clock.now() / 1_000);
  if (state === 'ready') {
    const segment = () => signed.sign({ to: 'read', school, id, size, expires: now + readFor });
    const path = access === 'public' ? `${mediaPaths.publicFiles}/${id}` : `${mediaPaths.privateFiles}/${segment()}`;
    return { received: size, upload: null, url: at(path) };
  }
  const last = Math.floor(Date.parse(until) / 1_000);
  const expires = Math.min(now + sendFor, last);
  if (state === 'scanning') return { received: size, upload: null, url: null };
  if (state !== 'requested' || expires <= now) return { received: 0, upload: null, url: null };
  const direct = await store.target({ school, id }, { size, sha256 }, expires - now);
  const own = () => at(`${mediaPaths.sending}/${signed.sign({ to: 'send', school, id, size, expires })}`);
  const { url, headers } = direct ?? { url: own(), headers: {} };
  const expires_at = new Date(expires * 1_000).toISOString();
  const upload = { method: 'PUT', url, headers: { ...headers }, in_parts: !direct, expires_at } as const;
  return { received: await store.received({ school, id }), upload, url: null };
}
