import { Problem } from '@lyceum/web';
import { type LetterPorts, sendLetter } from '../letters/send-letter.ts';
import { settleSignOut } from '../logout/settle-sign-out.ts';
import { type TellingPorts, tellClient } from '../logout/tell-client.ts';
import type { Deliver, Outcome } from './delivery-process.ts';

type SettlingPorts = Parameters<typeof settleSignOut>[0];

/** What sending needs. */
export type DeliveryPorts = LetterPorts & TellingPorts & SettlingPorts;

/** Sends each thing the way of its kind. */
export const deliverBy =
  (ports: DeliveryPorts): Deliver =>
  async (delivery, school, key) => {
    switch (delivery.what) {
      case 'letter':
        return sendLetter(ports, delivery, school, key);
      case 'logout': {
        const known = ports.schools.get(school);
        return known ? tellClient(ports, known, delivery.client, delivery) : 'unavailable';
      }
      case 'signOut':
        return settled(() => settleSignOut(ports, school, delivery.account));
    }
  };

/** Lists that are not up to date yet will be. */
async function settled(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return 'sent';
  } catch (error) {
    if (error instanceof Problem && error.code === 'temporarily_unavailable') return 'unavailable';
    throw error;
  }
}
