import { testEventCatalogue } from '@lyceum/testkit/testing';
import { notificationDecider } from './notification.ts';

testEventCatalogue('notification', notificationDecider, new URL('notification.events.golden.json', import.meta.url));
