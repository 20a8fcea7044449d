import { isIP, isIPv6 } from 'node:net';
import type { ModulePorts } from '@lyceum/service';
import { z } from 'zod';
import { domainName } from './domain.name.ts';
import { txtLookup } from './domain.proof.ts';

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const inner = /^\[(.*)\]$/.exec(host)?.[1];
  return Number(port) > 0 && Number(port) < 65_536 && (inner === undefined ? isIP(host) === 4 : isIPv6(inner));
}

/** What the operator says about domains. */
export const domainSettings = z.object({
  PLATFORM_DOMAINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((name) => name.trim().toLowerCase() || []))
    .refine((names) => names.every((name) => 'domain' in domainName(name)), 'domain names, separated by commas')
    .meta({ description: 'Domains of the platform: no school can have them or names below them for its own' }),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((address) => address.trim() || []))
    .refine(
      (addresses) => addresses.every(isServer),
      'IP addresses, each with a port if it is not 53, separated by commas',
    )
    .meta({ description: 'Name servers that are asked for the proofs of domains; those of the system when not given' }),
});

/** The settings after parsing. */
export type DomainSettings = z.output<typeof domainSettings>;

/** How this service looks up the proofs of domains. */
export const lookupOf = ({ settings, resolveTxt }: Pick<ModulePorts<DomainSettings>, 'settings' | 'resolveTxt'>) =>
  resolveTxt ?? txtLookup({ servers: settings.DNS_SERVERS });
