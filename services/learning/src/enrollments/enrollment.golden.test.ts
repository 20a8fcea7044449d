import { testEventCatalogue } from '@lyceum/testkit/testing';
import { enrollmentDecider } from './enrollment.ts';

testEventCatalogue('an enrollment', enrollmentDecider, new URL('enrollment.events.golden.json', import.meta.url));
