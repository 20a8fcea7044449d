import { currencyCode, languageTag, timeZone } from '@lyceum/contracts';
import { checkOrigin } from '@lyceum/web';
import { z } from 'zod';
import type { SchoolProfile } from '../school/school.events.ts';

const slug = /^[a-z0-9](?:-?[a-z0-9])*$/;

/** With the port or without it: what counts is the base URL's. */
const sameHost = ({ host, base_url }: { host: string; base_url: string }): boolean =>
  !URL.canParse(base_url) || [new URL(base_url).host, new URL(base_url).hostname].includes(host);

/** What a school is provisioned with: by an operator here, or by the export of another installation. */
export const placeProfile = z
  .strictObject({
    slug: z.string().min(3).max(80).regex(slug, 'lower-case letters, digits and single hyphens'),
    name: z.string().trim().min(1).max(200),
    host: z.string().min(1).max(255).meta({ description: 'Host of base_url, lower case.' }),
    base_url: z
      .string()
      .max(300)
      .superRefine(checkOrigin)
      .meta({ description: 'Origin and issuer; https unless loopback.' }),
    owner_email: z.email().max(254).optional().meta({ description: 'Who will be invited as owner.' }),
    currency: currencyCode(),
    timezone: timeZone(),
    locale: languageTag(),
  })
  .refine(sameHost, { path: ['host'], message: 'the host of base_url, in lower case' })
  .meta({ id: 'ProvisionSchool' });

/** The profile to write. The port belongs to the host: the gateway tells schools on one name apart by it. */
export function placed({ owner_email, ...rest }: z.output<typeof placeProfile>): SchoolProfile {
  const profile = { ...rest, host: new URL(rest.base_url).host };
  return owner_email === undefined ? profile : { ...profile, owner_email };
}
