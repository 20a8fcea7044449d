import { describe, expect, test } from '@jest/globals';
import { StartRefused } from '@lyceum/service';
import { bucketOf, mediaSettings } from './media-settings.ts';

const bucket = (more: object = {}) => bucketOf(mediaSettings.parse({ MEDIA_S3_BUCKET: 'files', ...more }));

describe('the bucket of the settings', () => {
  test('is none without a name, and has a key when both halves are set', () => {
    expect(bucketOf(mediaSettings.parse({}))).toBeUndefined();
    expect(bucket()).not.toHaveProperty('credentials');
    expect(bucket({ MEDIA_S3_ACCESS_KEY_ID: 'id', MEDIA_S3_SECRET_ACCESS_KEY: 'secret' })).toHaveProperty(
      'credentials',
      { accessKeyId: 'id', secretAccessKey: 'secret' },
    );
  });

  test('is refused with half a key: the store would be used as somebody else', () => {
    for (const half of ['MEDIA_S3_ACCESS_KEY_ID', 'MEDIA_S3_SECRET_ACCESS_KEY'])
      expect(() => bucket({ [half]: 'half' })).toThrow(StartRefused);
  });
});
