import { type EventOf, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** Each ask is a stream of its own, so that it has a key of its own. */
const prefix = 'signup-';

export const signUpStream = (id: string): string => prefix + id;
export const isSignUpStream = (stream: string): boolean => stream.startsWith(prefix);

/**
 * Somebody asked for a link with which an account can be opened. The address is kept under a key of this ask, which is
 * destroyed when the mail is sent or pointless: nothing can be read of a person who never returns. `interaction` is the
 * sealed authorization request that the person comes from.
 */
export const signUpEvents = {
  SignUpAsked: {
    version: 1,
    data: z.object({
      email: personal(z.string(), ofStream),
      interaction: personal(z.string(), ofStream).optional(),
      language: z.string(),
    }),
  },
} as const;

export type SignUpEvent = EventOf<typeof signUpEvents>;
