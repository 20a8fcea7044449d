import { Problem } from '@lyceum/web';
import type { Exchange } from '../exchange/exchange.ts';

/** Nobody is let in while revocations of the school may be missing: what its log says cannot be told to other services. */
export const refuseWithheldSchool = async ({ ports, school }: Exchange): Promise<void> => {
  if (ports.isWithheld?.(school.id))
    throw new Problem(
      'temporarily_unavailable',
      'Nobody is signed in here for the moment: what this school revokes cannot be told to its services',
      { headers: { 'Retry-After': '60' } },
    );
};
