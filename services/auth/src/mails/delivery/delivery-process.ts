import {
  type Deliver as DeliverOf,
  type Delivering,
  deliveryProcess as processOf,
  isOfDeliveries as isOf,
} from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type Delivery, type DeliveryEvent, deliveryEvents } from '../delivery.events.ts';
import { dueDeliveries } from './due-deliveries.ts';

/** How things are sent. */
export type Deliver = DeliverOf<Delivery>;

type WritingPorts = Pick<Ports, 'log' | 'clock' | 'ids'>;

const name = 'delivery';

/** What the process keeps, and its receipts: they stay where it ran when a school moves, and what is still due is heard anew. */
export const isOfDeliveries = (stream: string): boolean => isOf(name, stream);

/** Sends what events oblige this service to send. */
export const deliveryProcess = <Given extends WritingPorts>(
  deliverBy: (ports: Given) => Deliver,
): Delivering<Delivery, DeliveryEvent, Given> =>
  processOf<Delivery, DeliveryEvent, Given>({
    service: 'auth',
    name,
    events: deliveryEvents,
    due: dueDeliveries,
    postponed: ({ key, delivery, tries }) =>
      delivery.what === 'export'
        ? { type: 'ExportMailPostponed', data: { key, delivery, tries } }
        : { type: 'DeliveryPostponed', data: { key, delivery, tries } },
    abandoned: (data) => ({ type: 'DeliveryAbandoned', data }),
    deliverBy,
  });
