import { type Slice, aggregate, receiptEvents, receipts } from '@lyceum/service';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { mailProcess } from './mail.process.ts';
import { mailBy } from './mail.sending.ts';

/** Mails about what people buy. The receipts move with a school: where it arrives, its events are heard once more. */
export const mailSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'mails',
  operations: [],
  events: receiptEvents,
  processes: [{ manager: mailProcess(mailBy) }],
  aggregates: [aggregate(receipts.isStream, receipts.decider)],
};
