import { Problem } from '@lyceum/web';
import type { Exchange } from '../exchange/exchange.ts';

/** Refuses sign-ins while revocations of the school may be missing at other services, because its log cannot be published. */
export const refuseWithheldSchool = async ({ ports, school }: Exchange): Promise<void> => {
  if (ports.isWithheld?.(school.id))
    throw new Problem(
      'temporarily_unavailable',
      'Nobody is signed in here for the moment: what this school revokes cannot be told to its services',
      { headers: { 'Retry-After': '60' } },
    );
};
