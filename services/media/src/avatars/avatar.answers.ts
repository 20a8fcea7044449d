import { IdempotencyMismatch } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { MediaPorts } from '../ports/media-ports.ts';
import { loadUpload } from '../storage/upload.load.ts';
import { requestUploadBody } from '../storage/upload.schema.ts';
import { type UploadWriting, announce, complete, shown } from '../storage/upload.write.ts';
import { anotherAvatar } from './avatar.conditions.ts';

/** A member who wants an avatar. `commit`: always the same for the same wish, which is carried out once. */
const wish = z.object({
  school: z.string(),
  member: z.string(),
  commit: z.string().min(1).max(64),
  fingerprint: z.string().default(''),
});

// What a member calls the file is not kept: it may name them, and events are for ever.
const announcing = wish.extend({ file: requestUploadBody.omit({ purpose: true, filename: true }) });
const completing = wish.extend({ upload: z.string().max(100) });

/** The upload as its member reads it, or why nothing was done: a code of the error table, with words. */
type Answered =
  | { readonly upload: unknown }
  /** `retry_after`: seconds after which it may be done. */
  | { readonly refused: string; readonly reason: string; readonly retry_after?: number };

/** Whatever a member may do elsewhere, this is about files of their own. */
const callOf = ({ school, member, commit, fingerprint }: z.output<typeof wish>, ports: MediaPorts): UploadWriting => ({
  school,
  at: isoTime(ports.clock.now()),
  meta: { actor: member },
  commit: { commitId: uuidv5('avatar', commit), fingerprint },
  expected: undefined,
  principal: { subject: member, role: 'member' },
});

/** The name under which the image is saved. */
const filenameOf = (contentType: string): string => `avatar.${contentType.slice(contentType.indexOf('/') + 1)}`;

/** Announces the bytes of a member's avatar, in place of one that they announced before and did not complete. */
export function announceAvatar(question: unknown, ports: MediaPorts): Promise<Answered> {
  const asked = announcing.parse(question);
  const call = callOf(asked, ports);
  const file = { ...asked.file, purpose: 'avatar', filename: filenameOf(asked.file.content_type) } as const;
  return answered(call, ports, () => announce(call, file, ports, () => anotherAvatar(call, asked.member, ports)));
}

/** Completes the upload of a member's avatar. */
export function completeAvatar(question: unknown, ports: MediaPorts): Promise<Answered> {
  const asked = completing.parse(question);
  const call = callOf(asked, ports);
  return answered(call, ports, async () => {
    const { upload } = await loadUpload(call, asked.upload, ports);
    if (upload.purpose !== 'avatar') throw new Problem('not_found');
    await complete(call, asked.upload, ports);
    return asked.upload;
  });
}

/** What the caller did wrong is an answer; what went wrong here is none. */
async function answered(call: UploadWriting, ports: MediaPorts, work: () => Promise<string>): Promise<Answered> {
  try {
    const id = await work();
    return { upload: (await shown(call, id, await loadUpload(call, id, ports), ports)).body };
  } catch (error) {
    if (error instanceof IdempotencyMismatch) return { refused: 'idempotency_key_reused', reason: error.message };
    if (!(error instanceof Problem) || own.has(error.code)) throw error;
    const { 'Retry-After': seconds } = error.headers;
    const later = seconds === undefined ? {} : { retry_after: Number(seconds) };
    return { refused: error.code, reason: error.message, ...later };
  }
}

const own: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'outcome_unknown']);
