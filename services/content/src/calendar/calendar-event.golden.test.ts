import { testEventCatalogue } from '@lyceum/testkit/testing';
import { calendarEventDecider } from './calendar-event.ts';

testEventCatalogue(
  'an event of the calendar',
  calendarEventDecider,
  new URL('calendar-event.events.golden.json', import.meta.url),
);
