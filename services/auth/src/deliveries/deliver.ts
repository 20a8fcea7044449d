import { Problem } from '@lyceum/web';
import { type LetterPorts, sendLetter } from '../letters/send-letter.ts';
import { settleSignOut } from '../logout/settle-sign-out.ts';
import { type TellingPorts, tellClient } from '../logout/tell-client.ts';
import type { SchoolDirectory } from '../schools/school-directory.ts';
import type { Delivery } from './delivery.events.ts';
import type { Deliver, Outcome } from './delivery-process.ts';

type SettlingPorts = Parameters<typeof settleSignOut>[0];

/** What sending needs. */
export type DeliveryPorts = LetterPorts &
  TellingPorts &
  SettlingPorts & { readonly schools: Pick<SchoolDirectory, 'get'> };

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

async function deliver(ports: DeliveryPorts, delivery: Delivery, id: string, key: string): Promise<Outcome> {
  const school = ports.schools.get(id);
  // It is told here once all of it has arrived; before, what is written could be what is still to come.
  if (!school) return 'unavailable';
  switch (delivery.what) {
    case 'letter':
      return sendLetter(ports, delivery, school, key);
    case 'logout':
      return tellClient(ports, school, delivery.client, delivery);
    case 'signOut':
      await settleSignOut(ports, id, delivery.account);
      return 'sent';
  }
}
