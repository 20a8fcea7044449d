import type { Collection, Documents } from '@lyceum/documents';
import type { CustomDomain } from './domain.ts';

/** When the proof of each domain was looked for last. No fact: it is lost without harm, and then looked for once more. */
const checks: Collection = { name: 'domain-checks', version: 1, fields: {} };

type Named = Pick<CustomDomain, 'domain' | 'proof'>;

/** When this proof of a domain was looked for last, RFC 3339; undefined when it was not. */
export async function lastCheck(
  documents: Documents,
  school: string,
  { domain, proof }: Named,
): Promise<string | undefined> {
  await documents.open(checks);
  const found = await documents.get(checks, school, domain);
  return found?.['proof'] === proof ? (found['at'] as string) : undefined;
}

/** Notes that a proof was looked for, and that a name server told whether it is there. */
export async function noteCheck(
  documents: Documents,
  school: string,
  { domain, proof }: Named,
  at: string,
): Promise<void> {
  await documents.open(checks);
  await documents.apply(checks, 'checks', 0, 0, 0, [{ tenant: school, id: domain, body: { proof, at } }]);
}
