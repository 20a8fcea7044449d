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
    const kept: UploadEvent = { type: 'UnreferencedDaysSet', data: { days: 7 } };
    given(uploadDecider, requested!).when(makeReady).then(ready, kept);
    given(uploadDecider, requested!).when(reject).then(rejected);
    for (const end of [ready, rejected, expired!])
      for (const command of [makeReady, reject])
        given(uploadDecider, requested!, end).when(command).rejected('invalid_state');
    for (const end of [cancelled!, deleted!])
      given(uploadDecider, requested!, end).when(makeReady).rejected('not_found');
  });

  test('is scanned before it is ready, and is then ready, rejected or cancelled', () => {
    const begin = { type: 'BeginScan', id, contentType: 'image/png' } as const;
    const begun: UploadEvent = { type: 'ScanBegun', data: { type: 'image/png' } };
    const makeReady = { type: 'MakeReady', id, contentType: 'image/png' } as const;
    const refuse = { type: 'RejectUpload', id, reason: 'The content is text' } as const;
    const kept: UploadEvent = { type: 'UnreferencedDaysSet', data: { days: 7 } };
    given(uploadDecider, requested!).when(begin).then(begun);
    given(uploadDecider, requested!, begun).when(makeReady).then(ready, kept);
    given(uploadDecider, requested!, begun).when(refuse).then(rejected);
    given(uploadDecider, requested!, begun).when({ type: 'DeleteUpload', id }).then(cancelled!);
    given(uploadDecider, requested!, begun).when(begin).rejected('invalid_state');
    given(uploadDecider, requested!, ready).when(begin).rejected('invalid_state');
    const late = { type: 'ExpireUpload', id, now: '2027-01-01T00:00:00.000Z' } as const;
    given(uploadDecider, requested!, begun).when(late).then();
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

  const reference = (type: 'AddReference' | 'RemoveReference', holder = 'course_1') => ({ type, id, holder }) as const;
  const added = (holder_id = 'course_1'): UploadEvent => ({ type: 'ReferenceAdded', data: { holder_id } });
  const taken = (holder_id = 'course_1'): UploadEvent => ({ type: 'ReferenceRemoved', data: { holder_id } });
  const days: UploadEvent = { type: 'UnreferencedDaysSet', data: { days: 7 } };

  test('notes what names it, each thing once, while it is ready', () => {
    const file = [requested!, ready] as const;
    given(uploadDecider, ...file)
      .when(reference('AddReference'))
      .then(added());
    given(uploadDecider, ...file, added())
      .when(reference('AddReference'))
      .then();
    given(uploadDecider, ...file, added())
      .when(reference('AddReference', 'lesson_1'))
      .then(added('lesson_1'));
    given(uploadDecider, ...file, added())
      .when(reference('RemoveReference'))
      .then(taken());
    given(uploadDecider, ...file)
      .when(reference('RemoveReference'))
      .then();
    for (const before of [[], [requested!], [requested!, rejected], [...file, deleted!]])
      given(uploadDecider, ...before)
        .when(reference('AddReference'))
        .then();
  });

  test('is not deleted while something names it', () => {
    const remove = { type: 'DeleteUpload', id } as const;
    given(uploadDecider, requested!, ready, added()).when(remove).rejected('in_use');
    given(uploadDecider, requested!, ready, added(), added('lesson_1'), taken()).when(remove).rejected('in_use');
    given(uploadDecider, requested!, ready, added(), taken()).when(remove).then(deleted!);
  });

  test('of an erased person ends at once, whatever names it, and only once', () => {
    const erase = { type: 'EraseUpload', id } as const;
    given(uploadDecider, requested!).when(erase).then(cancelled!);
    given(uploadDecider, requested!, ready, days, added()).when(erase).then(deleted!);
    for (const before of [[], [requested!, rejected], [requested!, expired!], [requested!, ready, deleted!]])
      given(uploadDecider, ...before)
        .when(erase)
        .then();
  });

  test('is in the list of who announced it as an avatar, from the request to its end', () => {
    const avatar: UploadEvent = { type: 'UploadRequested', data: { ...upload, purpose: 'avatar' } };
    const context = { at: upload.expires_at, version: 1 };
    const begun = evolve(null, avatar, context);
    const streams = (...of: Parameters<NonNullable<typeof uploadDecider.sideEvents>>) =>
      uploadDecider.sideEvents!(...of).map(({ stream, type, data }) => [stream, type, data]);
    const command = { ...request(0, 1_000), own: true };
    expect(streams(null, begun, command)[1]).toEqual([
      'avatars-of/acc_1',
      'AvatarAnnounced',
      { upload_id: id, own: true },
    ]);
    const whole = evolve(begun, ready, context);
    expect(streams(begun, whole, { type: 'MakeReady', id, contentType: 'image/png' })).toEqual([]);
    expect(streams(whole, evolve(whole, deleted!, context), { type: 'EraseUpload', id })[1]).toEqual([
      'avatars-of/acc_1',
      'AvatarEnded',
      { upload_id: id },
    ]);
    const cover = evolve(null, requested!, context);
    expect(streams(null, cover, request(0, 1_000)).map(([stream]) => stream)).toEqual(['storage-use']);
  });

  test('is deleted days after nothing named it any more, and never when it is of a release that did not say so', () => {
    const expire = { type: 'ExpireUpload', id, now: '2126-01-01T00:00:00.000Z' } as const;
    given(uploadDecider, requested!, ready, days).when(expire).then(deleted!);
    given(uploadDecider, requested!, ready, days, added()).when(expire).then();
    given(uploadDecider, requested!, ready, days, added(), taken()).when(expire).then(deleted!);
    given(uploadDecider, requested!, ready).when(expire).then();
    const at = (time: string, version: number) => ({ at: time, version });
    const since = [requested!, ready, days, added()].reduce<ReturnType<typeof evolve>>(
      (state, event, index) => evolve(state, event, at('2026-01-01T00:00:00.000Z', index + 1)),
      null,
    );
    expect(evolve(since, taken(), at('2026-03-01T00:00:00.000Z', 5))?.deleted_at).toBe('2026-03-08T00:00:00.000Z');
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
