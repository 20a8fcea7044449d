import type { Slice } from '@lyceum/service';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { giveItems } from './gift.operator.ts';
import { orderOperatorOperations } from './order.operator.ts';
import { transferOperations } from './transfers.operator.ts';

/** What the operator does with orders and their payments. */
export const orderOperatorSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'order-operator',
  operations: [],
  internal: (ports) => [...orderOperatorOperations(ports), ...transferOperations(ports), giveItems(ports)],
};
