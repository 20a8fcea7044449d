import { type ErrorCode, isErrorCode } from '@lyceum/contracts';
import type { ModulePorts } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';

/** What the service asks others with. */
export type AskingPorts = Pick<ModulePorts, 'ask' | 'logger'>;

const upload = z.object({
  id: z.string(),
  state: z.enum(['requested', 'scanning', 'ready', 'rejected', 'expired']),
  reason: z.string().nullable(),
  size: z.int(),
  received: z.int(),
  expires_at: z.string(),
  upload: z
    .object({
      method: z.literal('PUT'),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      in_parts: z.boolean(),
      expires_at: z.string(),
    })
    .nullable(),
});

/** The upload of an avatar, as the media service knows it. */
export type AvatarUpload = z.output<typeof upload>;

/** `retry_after`: seconds. */
const refusal = z.object({ refused: z.string(), reason: z.string(), retry_after: z.int().optional() });

const answer = z.union([z.object({ upload }), refusal]);

/** What a member wants done. `commit`: always the same for the same wish. */
interface Wish {
  readonly kind: 'announce-avatar' | 'complete-avatar';
  readonly school: string;
  readonly member: string;
  readonly commit: string;
  readonly fingerprint: string;
  readonly [about: string]: unknown;
}

/** Has the media service do something with a member's avatar. Throws the problem why not. */
export async function askForAvatar(ports: AskingPorts, wish: Wish): Promise<AvatarUpload> {
  const answered = await answerTo(wish, ports);
  if ('upload' in answered) return answered.upload;
  const { refused, reason, retry_after: wait } = answered;
  const headers = wait === undefined ? {} : { 'Retry-After': String(wait) };
  throw new Problem(codeOf(refused), reason, { headers: { ...headers } });
}

async function answerTo(wish: Wish, { ask, logger }: AskingPorts): Promise<z.output<typeof answer>> {
  try {
    return answer.parse(await ask?.('media', wish));
  } catch (err) {
    // A media service of the release before does not know the question.
    logger.error({ err }, `the media service does not answer ${wish.kind}`);
    throw new Problem('temporarily_unavailable', 'The media service is awaited', { headers: { 'Retry-After': '1' } });
  }
}

const codeOf = (refused: string): ErrorCode => (isErrorCode(refused) ? refused : 'server_error');
