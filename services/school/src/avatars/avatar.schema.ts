import { imageAddress } from '@lyceum/contracts';
import { z } from 'zod';

const largest = 2 * 1024 * 1024;

/** The body that announces an avatar. */
export const announceAvatarBody = z
  .strictObject({
    content_type: z
      .enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
      .meta({ example: 'image/png' }),
    size: z.int().min(1).max(largest).meta({ description: 'Bytes: 2 MiB at most.', example: 120_000 }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .meta({ description: 'Of all bytes, hexadecimal.' }),
  })
  .meta({
    id: 'AnnounceAvatar',
    example: {
      content_type: 'image/png',
      size: 120_000,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  });

/** An avatar on its way, as its member reads it. */
export const avatarReply = z
  .object({
    object: z.literal('avatar'),
    id: z.string().meta({ example: 'upload_0195a3c2-7d10-7abc-8def-0123456789ab' }),
    state: z.enum(['requested', 'scanning', 'ready', 'rejected', 'expired']).meta({
      description: '`ready`: it is your avatar now. `scanning`: complete it again in a moment.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it was rejected.' }),
    size: z.int(),
    received: z.int().meta({ description: 'Bytes that have arrived.' }),
    expires_at: z.iso.datetime().meta({ description: 'Until then the bytes are awaited.' }),
    upload: z
      .object({
        method: z.literal('PUT'),
        url: z.url().meta({ description: 'Whoever has it may send the bytes: it needs no token.' }),
        headers: z.record(z.string(), z.string()).meta({ description: 'To be sent as they are.' }),
        in_parts: z.boolean().meta({ description: 'Whether Content-Range may send it in parts.' }),
        expires_at: z.iso.datetime(),
      })
      .nullable()
      .meta({ id: 'AvatarTarget', description: 'Where the bytes go, while they are awaited.' }),
    avatar: imageAddress().nullable().meta({ description: 'Once it is your avatar.' }),
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'Avatar', description: 'An image that is to be your avatar.' });

/** The upload of a path. */
export const avatarParams = z.object({
  upload: z
    .string()
    .regex(/^upload_[A-Za-z0-9-]{1,56}$/)
    .meta({ description: 'Id of the upload.' }),
});
