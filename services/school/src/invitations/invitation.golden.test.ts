import { testEventCatalogue } from '@lyceum/testkit/testing';
import { invitationEvents } from './invitation.events.ts';

const events = invitationEvents;

testEventCatalogue('an invitation', { events }, new URL('invitation.events.golden.json', import.meta.url));
