import type { Vault } from '@lyceum/eventlog';
import type { Outcome } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import type { KnownSchools } from '../../school-projections/school.ts';
import { eraseSignUpRequest } from '../../sign-up/sign-up-request.ts';
import type { Delivery } from '../delivery.events.ts';
import { sendAccountMail } from '../send-account-mail.ts';
import { sendExportMail } from '../send-export-mail.ts';
import { type SignUpMailPorts, sendSignUpMail } from '../send-sign-up-mail.ts';
import type { Deliver } from './delivery-process.ts';
import { endSignIns } from './end-sign-ins.ts';
import { type NotifyingPorts, notifyClient } from './notify-client.ts';

type SettlingPorts = Parameters<typeof endSignIns>[0];

/** What sending needs. */
export type DeliveryPorts = SignUpMailPorts &
  NotifyingPorts &
  SettlingPorts & {
    readonly schools: KnownSchools;
    readonly vault: Pick<Vault, 'derive' | 'destroy' | 'markReported'>;
  };

/** Sends each thing the way of its kind. What is not known here yet will be: facts and lists are on their way. */
export const deliverBy = (ports: DeliveryPorts): Deliver => ({
  async try(delivery, school, key) {
    try {
      return await deliver(ports, delivery, school, key);
    } catch (error) {
      if (error instanceof Problem && error.code === 'temporarily_unavailable') return 'unavailable';
      throw error;
    }
  },
  async over(delivery, school) {
    if (delivery.what === 'signUp') await eraseSignUpRequest(ports, school, delivery.about);
  },
});

async function deliver(ports: DeliveryPorts, delivery: Delivery, id: string, key: string): Promise<Outcome> {
  const school = await ports.schools.get(id);
  // It is told here once all of it has arrived; before, what is written could be what is still to come.
  if (!school) return 'unavailable';
  switch (delivery.what) {
    case 'letter':
      return sendAccountMail(ports, delivery, school, key);
    case 'logout':
      return notifyClient(ports, school, delivery.client, delivery);
    case 'signOut':
      await endSignIns(ports, id, delivery.account);
      return 'sent';
    case 'export':
      return sendExportMail(ports, delivery, school, key);
    case 'signUp':
      return sendSignUpMail(ports, delivery, school, key);
  }
}
