import { type Grant, isLive } from './grant.ts';

/** A grant that waits for a seat, as the staff read it. */
export const awaitedDocument = ({
  source_type,
  source_id,
  expires_at,
}: Pick<Grant, 'source_type' | 'source_id' | 'expires_at'>) => ({
  source_type,
  source_id,
  starts_at: null,
  expires_at,
  state: 'awaiting_seat',
});

/** A grant as the staff read it at a time (RFC 3339 UTC). */
export const grantDocument = (grant: Grant, now: string) => {
  const { source_type, source_id, starts_at, expires_at, revoked } = grant;
  const over = revoked ? 'revoked' : 'expired';
  return { source_type, source_id, starts_at, expires_at, state: isLive(grant, now) ? 'live' : over };
};
