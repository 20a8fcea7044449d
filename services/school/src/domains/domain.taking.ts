import { type EventLog, claimant, execute, fold } from '@lyceum/eventlog';
import { type Meta, isRejection, isoTime, upcast, uuidv5 } from '@lyceum/kernel';
import type { Reaction } from '@lyceum/service';
import { Problem, type Ports } from '@lyceum/web';
import { platformTenant, schoolHost } from '../directory/entry.ts';
import { domainHolderEvents } from '../domain-holders/domain-holder.events.ts';
import { type Holding, domainHolderDecider, domainHolderStream } from '../domain-holders/domain-holder.ts';
import { domainEvents } from './domain.events.ts';
import { domainsDecider, domainsStream } from './domain.ts';

type TakingPorts = Pick<Ports, 'log' | 'clock'>;

const system: Meta = { actor: 'system' };

const refuse = () => new Problem('domain_taken', 'A school of this platform answers at this domain already');

/** Throws `domain_taken` when a school's own host, or another school's domain, is of this name. As of now: taking it decides. */
export async function refuseTaken(log: EventLog, school: string, domain: string): Promise<void> {
  const by = await claimant(log, platformTenant, schoolHost, domain);
  if (by === undefined) return;
  const { state } = await fold(log, domainHolderDecider, platformTenant, domainHolderStream(domain));
  if (by !== domainHolderStream(domain) || state?.school !== school) throw refuse();
}

/** Makes the platform keep a proven domain for its school. Of several schools one succeeds; throws `domain_taken` for the others. */
export async function takeDomain(ports: TakingPorts, holding: Holding, meta: Meta): Promise<void> {
  if (isRejection(await decideHolding(ports, 'TakeDomain', holding, meta))) throw refuse();
}

/** Gives a domain back that was held by this proof. May be repeated, and may come late. */
export async function releaseDomain(ports: TakingPorts, holding: Holding, meta: Meta = system): Promise<void> {
  await decideHolding(ports, 'ReleaseDomain', holding, meta);
}

/** The names in derived commit ids: they are stored, and stay as they are. */
const steps = { TakeDomain: 'take', ReleaseDomain: 'release' } as const;

function decideHolding({ log, clock }: TakingPorts, type: keyof typeof steps, holding: Holding, meta: Meta) {
  const { domain, school, proof } = holding;
  return execute(log, domainHolderDecider, {
    tenant: platformTenant,
    stream: domainHolderStream(domain),
    command: { type, ...holding },
    at: isoTime(clock.now()),
    meta,
    // A proof is of one addition of one domain, so each of them is taken and released once.
    commitId: uuidv5('domain', steps[type], school, domain, proof),
  });
}

/** Records in the school that the platform keeps a domain for it; one that the school has removed meanwhile is given back. */
async function recordVerified(ports: TakingPorts, holding: Holding): Promise<void> {
  const { domain, school, proof } = holding;
  const recorded = await execute(ports.log, domainsDecider, {
    tenant: school,
    stream: domainsStream,
    command: { type: 'VerifyDomain', domain, proof },
    at: isoTime(ports.clock.now()),
    meta: system,
    commitId: uuidv5('domain', 'verified', school, domain, proof),
  });
  if (isRejection(recorded)) await releaseDomain(ports, holding);
}

/**
 * A commit touches one tenant only, so the platform and the school hear of a domain one after the other: this brings to an
 * end what a process left between the two.
 */
export const settlingDomains: Reaction = {
  name: 'settling-domains',
  events: ['DomainTaken', 'DomainRemoved', 'DomainLapsed'],
  async perform(event, ports) {
    if (event.type === 'DomainTaken') {
      const { data } = upcast(domainHolderEvents, event);
      return recordVerified(ports, data);
    }
    const { data } = upcast(domainEvents, event);
    return releaseDomain(ports, { school: event.tenant, domain: data.domain, proof: data.proof });
  },
};
