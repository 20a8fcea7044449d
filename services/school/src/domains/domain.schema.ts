import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import type { DomainCheck } from './domain.checks.ts';
import { domainName, longestName } from './domain.name.ts';
import { recordOf } from './domain.proof.ts';
import { type CustomDomain, stateOf } from './domain.ts';

const example = 'learn.lantern-craft.school';
const proof = 'Qm9vcGxhbmV0c3RhcmxpZ2h0';

export const domainReply = z
  .object({
    object: z.literal('school_domain'),
    domain: z.string().meta({ description: 'Lower case, in A-labels.', example }),
    unicode: z.string().meta({ description: 'The domain as people write it.', example }),
    state: z.enum(['pending', 'verified', 'lapsed']).meta({
      description:
        'verified: the school answers there. lapsed: it did, but the record was not there for three days, or no name server answered for sixty; publish the new one and verify the domain again.',
    }),
    record: z
      .object({
        type: z.literal('TXT'),
        name: z.string().meta({ example: recordOf({ domain: example, proof }).name }),
        value: z.string().meta({ example: recordOf({ domain: example, proof }).value }),
      })
      .meta({ description: 'The DNS record that proves that the domain is yours.' }),
    added_at: z.iso.datetime(),
    verified_at: z.iso.datetime().nullable(),
    last_checked_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the name servers last told whether the record of a verified domain is there.' }),
    failing_since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when the record of a domain that was verified is not there; null while it is.' }),
  })
  .meta({
    id: 'SchoolDomain',
    description: 'A domain at which a school answers, or wants to, beside its own address.',
  });

/** A domain as its school's staff sees it. `checked`: the last look for its proof. */
export const domainDocument = (custom: CustomDomain, checked: DomainCheck | undefined) => ({
  object: 'school_domain',
  domain: custom.domain,
  unicode: domainToUnicode(custom.domain),
  state: stateOf(custom),
  record: recordOf(custom),
  added_at: custom.added_at,
  verified_at: custom.verified_at,
  last_checked_at: checked?.at ?? null,
  failing_since: custom.failing_since,
});

const name = z.string().min(1).max(longestName).meta({ example });

export const domainParams = z.object({ domain: name });

/** `platform`: domains of the platform itself. */
export const addDomainBody = (platform: readonly string[]) =>
  z
    .strictObject({
      domain: name
        .superRefine((text, context) => {
          const named = domainName(text, platform);
          if ('fault' in named) context.addIssue({ code: 'custom', message: named.fault });
        })
        .meta({
          description: 'A name of the public DNS, in any spelling; no IP address, no port, no wildcard.',
          example,
        }),
    })
    .meta({ id: 'AddDomain', example: { domain: example } });
