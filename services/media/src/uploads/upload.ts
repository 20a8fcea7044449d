import { type Decider, type Rejection, type SideEvent, reject } from '@lyceum/kernel';
import { avatarAnnounced, avatarEnded } from '../avatar-lists/avatar-list.ts';
import { storageUseEvents, storageUseStream } from '../storage-use/storage-use.ts';
import { type UploadEvent, uploadEvents } from './upload.events.ts';
import { type Upload, type UploadState, evolve, holdsQuota } from './upload.state.ts';

type Requested = Extract<UploadEvent, { type: 'UploadRequested' }>['data'];

/** What can be asked of an upload. */
export type UploadCommand =
  | {
      readonly type: 'RequestUpload';
      readonly id: string;
      readonly upload: Requested;
      /** Bytes that the school has in storage already, and may have. */
      readonly used: number;
      readonly quota: number;
      /** An avatar that the person announces for themselves by their account. */
      readonly own?: boolean;
    }
  /** The content is of this type and may be so; a scanner is to be asked about it. */
  | { readonly type: 'BeginScan'; readonly id: string; readonly contentType: string }
  | { readonly type: 'MakeReady'; readonly id: string; readonly contentType: string }
  | { readonly type: 'RejectUpload'; readonly id: string; readonly reason: string }
  | { readonly type: 'ExpireUpload'; readonly id: string; readonly now: string }
  | { readonly type: 'DeleteUpload'; readonly id: string }
  /** Who is in the picture is erased: it ends at once, whatever names it. May come again, and of a file that is gone. */
  | { readonly type: 'EraseUpload'; readonly id: string }
  /** A thing of another service names the file, or does so no longer. May come again, and of a file that is gone. */
  | { readonly type: 'AddReference' | 'RemoveReference'; readonly id: string; readonly holder: string };

/** What a command can be rejected for. */
export type UploadCode = 'not_found' | 'invalid_state' | 'quota_exceeded' | 'in_use';

type Decision = readonly UploadEvent[] | Rejection<UploadCode>;

function decide(command: UploadCommand, state: UploadState): Decision {
  if (command.type === 'RequestUpload') {
    if (state) return reject('invalid_state', 'The upload exists already');
    if (command.used + command.upload.size > command.quota)
      return reject('quota_exceeded', `The school has ${command.used} of ${command.quota} bytes in storage already`);
    return [{ type: 'UploadRequested', data: command.upload }];
  }
  if ('holder' in command) return referenced(command, state);
  if (command.type === 'EraseUpload') return state ? ended(state) : [];
  if (!state || state.state === 'deleted' || state.state === 'cancelled')
    return reject('not_found', 'There is no such upload');
  if (command.type === 'ExpireUpload') return expired(state, command.now);
  if (command.type === 'DeleteUpload') return removed(state);
  if (!mayBecome(command, state)) return reject('invalid_state', `The upload is ${state.state} already`);
  if (command.type === 'BeginScan') return [{ type: 'ScanBegun', data: { type: command.contentType } }];
  if (command.type === 'RejectUpload') return [{ type: 'FileRejected', data: { reason: command.reason } }];
  const { size, sha256 } = state;
  return [
    { type: 'FileReady', data: { key: command.id, type: command.contentType, size, sha256 } },
    { type: 'UnreferencedDaysSet', data: { days: unreferencedDays } },
  ];
}

const mayBecome = ({ type }: UploadCommand, { state }: Upload): boolean =>
  state === 'requested' || (state === 'scanning' && type !== 'BeginScan');

/** Days that a file stays which nothing names. */
const unreferencedDays = 7;

function referenced(
  { type, holder: holder_id }: Extract<UploadCommand, { readonly holder: string }>,
  state: UploadState,
): Decision {
  if (state?.state !== 'ready' || (type === 'AddReference') === state.holders.includes(holder_id)) return [];
  return [{ type: type === 'AddReference' ? 'ReferenceAdded' : 'ReferenceRemoved', data: { holder_id } }];
}

function expired({ state, expires_at, deleted_at }: Upload, now: string): Decision {
  if (state === 'requested' && expires_at <= now) return [{ type: 'UploadExpired', data: {} }];
  return deleted_at !== null && deleted_at <= now ? [{ type: 'FileDeleted', data: {} }] : [];
}

function removed(upload: Upload): Decision {
  if (upload.holders.length > 0) return reject('in_use', 'Something names the file: let it name another one first');
  return ended(upload);
}

function ended({ state }: Upload): readonly UploadEvent[] {
  if (state === 'ready') return [{ type: 'FileDeleted', data: {} }];
  return state === 'requested' || state === 'scanning' ? [{ type: 'UploadCancelled', data: {} }] : [];
}

const listed = ({ created_by }: Upload, command: UploadCommand): SideEvent =>
  command.type === 'RequestUpload'
    ? avatarAnnounced(created_by, command.id, command.own ?? false)
    : avatarEnded(created_by, command.id);

/** An upload: the stream is its id. What it holds of the school's quota, and whose avatar it is, is written in the same commit. */
export const uploadDecider: Decider<UploadState, UploadCommand, UploadEvent, UploadCode> = {
  events: uploadEvents,
  initial: null,
  decide,
  evolve,
  sideEvents(before, after, command) {
    if (holdsQuota(before) === holdsQuota(after) || !after) return [];
    const { id: upload_id } = command;
    const type = holdsQuota(after) ? 'StorageTaken' : 'StorageFreed';
    const { version: schema } = storageUseEvents[type];
    const used = { stream: storageUseStream, type, schema, data: { upload_id, size: after.size } };
    return after.purpose === 'avatar' ? [used, listed(after, command)] : [used];
  },
};
