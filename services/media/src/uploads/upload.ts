import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { storageUseEvents, storageUseStream } from '../storage-use/storage-use.ts';
import { type UploadEvent, uploadEvents } from './upload.events.ts';
import { type UploadState, evolve, holdsQuota } from './upload.state.ts';

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
    }
  | { readonly type: 'MakeReady'; readonly id: string; readonly contentType: string }
  | { readonly type: 'RejectUpload'; readonly id: string; readonly reason: string }
  | { readonly type: 'ExpireUpload'; readonly id: string; readonly now: string }
  | { readonly type: 'DeleteUpload'; readonly id: string };

/** What a command can be rejected for. */
export type UploadCode = 'not_found' | 'invalid_state' | 'quota_exceeded';

type Decision = readonly UploadEvent[] | Rejection<UploadCode>;

function decide(command: UploadCommand, state: UploadState): Decision {
  if (command.type === 'RequestUpload') {
    if (state) return reject('invalid_state', 'The upload exists already');
    if (command.used + command.upload.size > command.quota)
      return reject('quota_exceeded', `The school has ${command.used} of ${command.quota} bytes in storage already`);
    return [{ type: 'UploadRequested', data: command.upload }];
  }
  if (!state || state.state === 'deleted' || state.state === 'cancelled')
    return reject('not_found', 'There is no such upload');
  if (command.type === 'ExpireUpload')
    return state.state === 'requested' && state.expires_at <= command.now ? [{ type: 'UploadExpired', data: {} }] : [];
  if (command.type === 'DeleteUpload') {
    if (state.state === 'ready') return [{ type: 'FileDeleted', data: {} }];
    return state.state === 'requested' ? [{ type: 'UploadCancelled', data: {} }] : [];
  }
  if (state.state !== 'requested') return reject('invalid_state', `The upload is ${state.state} already`);
  if (command.type === 'RejectUpload') return [{ type: 'FileRejected', data: { reason: command.reason } }];
  const { size, sha256 } = state;
  return [{ type: 'FileReady', data: { key: command.id, type: command.contentType, size, sha256 } }];
}

/** An upload: the stream is its id. What it holds of the school's quota is written in the same commit. */
export const uploadDecider: Decider<UploadState, UploadCommand, UploadEvent, UploadCode> = {
  events: uploadEvents,
  initial: null,
  decide,
  evolve,
  sideEvents(before, after, { id: upload_id }) {
    if (holdsQuota(before) === holdsQuota(after) || !after) return [];
    const type = holdsQuota(after) ? 'StorageTaken' : 'StorageFreed';
    const { version: schema } = storageUseEvents[type];
    return [{ stream: storageUseStream, type, schema, data: { upload_id, size: after.size } }];
  },
};
