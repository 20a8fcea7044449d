import type { Vault } from '@lyceum/eventlog';
import { type Decider, erasureStream, isoTime, subjectOfStream } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type SignUpEvent, signUpEvents } from './sign-up.events.ts';

/** What is known of an ask; undefined = there is none, or it is forgotten. */
export type SignUpRequest = { readonly email: string; readonly interaction?: string } | undefined;

interface RequestSignUp {
  readonly email: string;
  readonly interaction: string | undefined;
  readonly language: string;
}

/** Somebody asks for a link. Never refused: whoever asks learns nothing. */
export const signUpRequestDecider: Decider<SignUpRequest, RequestSignUp, SignUpEvent, never> = {
  events: signUpEvents,
  initial: undefined,
  decide: ({ email, interaction, language }) => [
    { type: 'SignUpAsked', data: { email, language, ...(interaction === undefined ? {} : { interaction }) } },
  ],
  evolve(_, { data: { email, interaction } }) {
    if (email === null) return undefined;
    return typeof interaction === 'string' ? { email, interaction } : { email };
  },
};

interface ErasurePorts extends Pick<Ports, 'log' | 'clock'> {
  readonly vault: Pick<Vault, 'destroy' | 'told'>;
}

/**
 * Destroys the key of an ask, and says so in the log: a key store that comes from a backup loses it again. May be repeated;
 * cut off in between, the next start completes it.
 */
export async function eraseSignUpRequest(
  { log, clock, vault }: ErasurePorts,
  school: string,
  stream: string,
): Promise<void> {
  const subject = subjectOfStream(stream);
  await vault.destroy(school, subject);
  await writeErasure(log, { school, subject, meta: { actor: 'system' }, at: isoTime(clock.now()) });
  await vault.told(school, subject);
}

const asks = erasureStream(subjectOfStream('signup-'));

/** Whether a stream says that an ask is forgotten: nobody else ever heard of it. */
export const isErasureOfSignUpRequest = (stream: string): boolean => stream.startsWith(asks);
