import { Problem } from '@lyceum/web';
import { type LetterPorts, sendLetter } from '../letters/send-letter.ts';
import { settleSignOut } from '../logout/settle-sign-out.ts';
import { type TellingPorts, tellClient } from '../logout/tell-client.ts';
import type { Delivery } from './delivery.events.ts';
import type { Deliver, Outcome } from './delivery-process.ts';

type SettlingPorts = Parameters<typeof settleSignOut>[0];

/** What sending needs. */
export type DeliveryPorts = LetterPorts & TellingPorts & SettlingPorts;

/** Sends each thing the way of its kind. What is not known here yet will be: facts and lists are on their way. */
export const deliverBy =
  (ports: DeliveryPorts): Deliver =>
  async (delivery, school, key) => {
    try {
      return await deliver(ports, delivery, school, key);
    } catch (error) {
      if (error instanceof Problem && error.code === 'temporarily_unavailable') return 'unavailable';
      throw error;
    }
  };

async function deliver(ports: DeliveryPorts, delivery: Delivery, school: string, key: string): Promise<Outcome> {
  switch (delivery.what) {
    case 'letter':
      return sendLetter(ports, delivery, school, key);
    case 'logout': {
      const known = ports.schools.get(school);
      return known ? tellClient(ports, known, delivery.client, delivery) : 'unavailable';
    }
    case 'signOut':
      await settleSignOut(ports, school, delivery.account);
      return 'sent';
  }
}
