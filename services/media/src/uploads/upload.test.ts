import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { storageUse } from '../storage-use/storage-use.ts';
import type { UploadEvent } from './upload.events.ts';
import { evolve } from './upload.state.ts';
import { uploadDecider } from './upload.ts';

const id = 'upload_1';
const upload = {
  purpose: 'cover',
  filename: 'cover.png',
  content_type: 'image/png',
  size: 100,
  sha256: 'ab'.repeat(32),
  access: 'public',
  expires_at: '2026-01-02T00:00:00.000Z',
  created_by: 'acc_1',
} as const;
const requested: UploadEvent = { type: 'UploadRequested', data: upload };
const ready: UploadEvent = {
  type: 'FileReady',
  data: { key: id, type: 'image/png', size: 100, sha256: upload.sha256 },
};
const rejected: UploadEvent = { type: 'FileRejected', data: { reason: 'The content is text' } };
const [cancelled, expired, deleted] = (['UploadCancelled', 'UploadExpired', 'FileDeleted'] as const).map(
  (type): UploadEvent => ({ type, data: {} }),
);
const request = (used: number, quota: number) => ({ type: 'RequestUpload', id, upload, used, quota }) as const;
const spec = () => given(uploadDecider);

describe('an upload', () => {
  test('is requested while the quota has room for all of it', () => {
    spec().when(request(900, 1_000)).then(requested);
    spec().when(request(901, 1_000)).rejected('quota_exceeded');
    given(uploadDecider, requested!).when(request(0, 1_000)).rejected('invalid_state');
  });

  test('becomes ready or is rejected once', () => {
    const makeReady = { type: 'MakeReady', id, contentType: 'image/png' } as const;
    const reject = { type: 'RejectUpload', id, reason: 'The content is text' } as const;
    given(uploadDecider, requested!).when(makeReady).then(ready);
    given(uploadDecider, requested!).when(reject).then(rejected);
    for (const end of [ready, rejected, expired!])
      for (const command of [makeReady, reject])
        given(uploadDecider, requested!, end).when(command).rejected('invalid_state');
    for (const end of [cancelled!, deleted!])
      given(uploadDecider, requested!, end).when(makeReady).rejected('not_found');
  });

  test('expires at its time and not before, and only while bytes are awaited', () => {
    const expire = (now: string) => ({ type: 'ExpireUpload', id, now }) as const;
    given(uploadDecider, requested!).when(expire(upload.expires_at)).then(expired!);
    given(uploadDecider, requested!).when(expire('2026-01-01T23:59:59.999Z')).then();
    given(uploadDecider, requested!, ready).when(expire('2027-01-01T00:00:00.000Z')).then();
  });

  test('is cancelled before and deleted after it is ready', () => {
    const remove = { type: 'DeleteUpload', id } as const;
    given(uploadDecider, requested!).when(remove).then(cancelled!);
    given(uploadDecider, requested!, ready).when(remove).then(deleted!);
    given(uploadDecider, requested!, rejected).when(remove).then();
    given(uploadDecider, requested!, ready, deleted!).when(remove).rejected('not_found');
    spec().when(remove).rejected('not_found');
  });

  test('holds its part of the quota from the request to its end, whatever that is', () => {
    const histories = [
      [requested, rejected],
      [requested, expired],
      [requested, cancelled],
      [requested, ready, deleted],
    ];
    for (const history of histories) {
      let state = uploadDecider.initial;
      let use = storageUse.initial;
      const seen: number[] = [];
      for (const [index, event] of history.entries()) {
        const context = { at: upload.expires_at, version: index + 1 };
        const after = evolve(state, event!, context);
        for (const side of uploadDecider.sideEvents!(state, after, { type: 'DeleteUpload', id }))
          use = storageUse.evolve(use, side as never, context);
        seen.push(use.bytes);
        state = after;
      }
      expect(seen).toEqual([...Array.from({ length: history.length - 1 }, () => 100), 0]);
    }
  });
});
