import { type Deliver, type Delivering, deliveryProcess } from '@lyceum/service';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { dueMails } from './mail.due.ts';
import { type MailDelivery, type MailEvent, mailEvents } from '../mail-deliveries/mail.events.ts';

/** Sends the mails about what people buy, each once, however often something fails or the process starts over. */
export const mailProcess = (
  deliverBy: (ports: CommercePorts) => Deliver<MailDelivery>,
): Delivering<MailDelivery, MailEvent, CommercePorts> =>
  deliveryProcess<MailDelivery, MailEvent, CommercePorts>({
    service: 'commerce',
    name: 'mails',
    events: mailEvents,
    due: dueMails,
    postponed: (data) => ({ type: 'MailPostponed', data }),
    abandoned: (data) => ({ type: 'MailAbandoned', data }),
    deliverBy,
  });
