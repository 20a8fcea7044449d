import type { Vault } from '@lyceum/eventlog';
import { type Decider, erasureStream, isoTime, subjectOfStream } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type SignUpEvent, signUpEvents } from './sign-up.events.ts';

/** A request to sign up; undefined = there is none, or it is erased. */
export type SignUpRequest = { readonly email: string; readonly interaction?: string } | undefined;

interface RequestSignUp {
  readonly email: string;
  readonly interaction: string | undefined;
  readonly language: string;
}

/** Records the request for a link. It is never refused, so that the reply reveals nothing. */
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
  readonly vault: Pick<Vault, 'destroy' | 'markReported'>;
}

/**
 * Destroys the key of a request, and records that in the log: a key store restored from a backup loses it again. May be repeated;
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
  await vault.markReported(school, subject);
}

const asks = erasureStream(subjectOfStream('signup-'));

/** Whether a stream records the erasure of a request to sign up: no other service knows of the request. */
export const isErasureOfSignUpRequest = (stream: string): boolean => stream.startsWith(asks);
