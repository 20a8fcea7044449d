import type { ChangeMemberBody } from './member.schema.ts';
import type { MemberChanges } from './member.ts';

/** What null clears a field to: an event cannot hold null, which would mean erased. */
const cleared: Readonly<Record<string, unknown>> = { tags: [], custom_fields: {} };

/** The changes that a merge patch asks for. @see RFC 7396 §2 */
export function changesOf({ marketing_consent, ...body }: ChangeMemberBody, at: string): MemberChanges {
  const set = Object.entries(body).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(set.map(([field, value]) => [field, value ?? cleared[field] ?? '']));
  return marketing_consent === undefined
    ? changes
    : { ...changes, marketing_consent: { value: marketing_consent.value, at, source: marketing_consent.source } };
}
