import { z } from 'zod';

/** Text of an environment variable as whole seconds. */
const seconds = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `whole seconds from 0 to ${most}`)
    .transform(Number)
    .refine((number) => number <= most, `whole seconds from 0 to ${most}`);

/** The settings of the authorization server. */
export const authSettings = z.object({
  REFRESH_GRACE_SECONDS: seconds(300).default(30).meta({
    description: 'How long a client that missed the answer to a refresh gets the same answer again; 0 = never',
  }),
});

export type AuthSettings = z.output<typeof authSettings>;
