import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { domainEvents } from './domain.events.ts';
import { domainsStream } from './domain.ts';

/** What other services hear of a school's domains: those where it answers. One that was never proven stays here. */
export function domainFact(recorded: RecordedEvent): FactOf<'school'> | undefined {
  if (recorded.stream !== domainsStream) return undefined;
  const { type, data } = upcast(domainEvents, recorded);
  const { domain } = data;
  if (type === 'DomainVerified') return { type, data: { domain } };
  const isGone = type === 'DomainLapsed' || (type === 'DomainRemoved' && data.verified);
  return isGone ? { type: 'DomainRemoved', data: { domain } } : undefined;
}
