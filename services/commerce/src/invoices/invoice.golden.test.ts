import { testEventCatalogue } from '@lyceum/testkit/testing';
import { invoiceNumberingEvents } from './invoice.numbers.ts';
import { invoiceDecider } from './invoice.ts';

testEventCatalogue('an invoice', invoiceDecider, new URL('invoice.events.golden.json', import.meta.url));
testEventCatalogue(
  'the numbers of invoices',
  { events: invoiceNumberingEvents },
  new URL('invoice.numbers.golden.json', import.meta.url),
);
