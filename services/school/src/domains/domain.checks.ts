import { type Collection, type Documents, rowAs } from '@lyceum/documents';
import type { CustomDomain } from './domain.ts';

/** How the proof of each domain was looked for last. No fact: it is lost without harm, and then looked for once more. */
const checks: Collection = { name: 'domain-checks', version: 1, fields: {} };

type Named = Pick<CustomDomain, 'domain' | 'proof'>;

/** What is known of the looks for a proof. */
export interface DomainCheck {
  /** When a name server told last whether it is there, RFC 3339; null when none has. */
  readonly at: string | null;
  /** Whether it was not there then. */
  readonly missing?: boolean;
  /** Since when no name server tells, RFC 3339. */
  readonly silent_since?: string;
}

/** The last look for this proof of a domain; undefined when there was none. */
export async function lastCheck(
  documents: Documents,
  school: string,
  { domain, proof }: Named,
): Promise<DomainCheck | undefined> {
  await documents.open(checks);
  const found = await documents.get(checks, school, domain);
  return found?.['proof'] === proof ? rowAs<DomainCheck>(found) : undefined;
}

/** Notes how a proof was looked for. */
export async function noteCheck(
  documents: Documents,
  school: string,
  { domain, proof }: Named,
  check: DomainCheck,
): Promise<void> {
  await documents.open(checks);
  await documents.apply(checks, 'checks', 0, 0, 0, [{ tenant: school, id: domain, body: { proof, ...check } }]);
}
