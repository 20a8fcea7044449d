import { z } from 'zod';
import { anyHost, readDocumentHosts } from './domain/clients/documents/document-hosts.ts';
import { lifetimes } from './domain/lifetimes.ts';

/** Text of an environment variable as whole seconds. */
const seconds = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `whole seconds from 0 to ${most}`)
    .transform(Number)
    .refine((number) => number <= most, `whole seconds from 0 to ${most}`);

/** The settings of the authorization server. */
export const authSettings = z.object({
  CLIENT_DOCUMENT_MAX_BYTES: z
    .string()
    .regex(/^\d{4,7}$/, 'bytes from 5000 to 1000000')
    .transform(Number)
    .refine((bytes) => bytes >= 5_000 && bytes <= 1_000_000, 'bytes from 5000 to 1000000')
    .default(65_536)
    .meta({ description: 'Largest metadata document or key set of a client that is fetched' }),
  CLIENT_DOCUMENT_HOSTS: z
    .string()
    .default('*')
    .transform((text, context) => {
      const hosts = readDocumentHosts(text);
      if (!hosts) context.addIssue('hosts, * or none, separated by commas, each perhaps after school_…=');
      return hosts ?? anyHost;
    })
    .meta({ description: 'Hosts at which clients may describe themselves; school_…=host makes it one school’s own' }),
  LOCALHOST_REDIRECTS: z
    .enum(['true', 'false'], 'true or false')
    .default('true')
    .transform((value) => value === 'true')
    .meta({ description: 'Whether clients may register http://localhost beside 127.0.0.1 and [::1]' }),
  SIGNING_KEY_SECONDS: seconds(lifetimes.signingKey)
    .refine((number) => number >= 20, 'whole seconds, at least 20')
    .default(lifetimes.signingKey)
    .meta({ description: 'How long a signing key signs before its successor does; tokens of before stay good' }),
  REFRESH_GRACE_SECONDS: seconds(300).default(10).meta({
    description:
      'How long a client that missed the answer to a refresh gets the same tokens again, three times at most; 0 = never',
  }),
});

export type AuthSettings = z.output<typeof authSettings>;
