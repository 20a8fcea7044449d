import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { CertificateEvent, CertificateIssued } from './certificate.events.ts';

/** A certificate of one enrollment. Times are RFC 3339 UTC. */
export interface Certificate extends Recorded, CertificateIssued {
  readonly isRevoked: boolean;
  readonly revoked_at: string | null;
}

/** A certificate; null = it was not issued. */
export type CertificateState = Certificate | null;

/** The certificate after an event, but for its times. */
function apply(state: CertificateState, { type, data }: CertificateEvent): CertificateState {
  if (type === 'CertificateIssued') return { ...unrecorded, ...data, isRevoked: false, revoked_at: null };
  return state && { ...state, isRevoked: true };
}

const recorded = recording<Certificate, CertificateEvent>(apply, { created: 'CertificateIssued' });

/** Folds an event as the log recorded it. */
export function evolve(
  before: CertificateState,
  event: CertificateEvent,
  context: Parameters<typeof recorded>[2],
): CertificateState {
  const state = recorded(before, event, context);
  return state && event.type === 'CertificateRevoked' ? { ...state, revoked_at: context.at } : state;
}
