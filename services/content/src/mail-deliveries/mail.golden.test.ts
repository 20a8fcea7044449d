import { testEventCatalogue } from '@lyceum/testkit/testing';
import { mailEvents } from './mail.events.ts';

testEventCatalogue(
  'mails about events that people register for',
  { events: mailEvents },
  new URL('mail.events.golden.json', import.meta.url),
);
