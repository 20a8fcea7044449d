import { testEventCatalogue } from '@lyceum/testkit/testing';
import { certificateDecider } from './certificate.ts';

testEventCatalogue('a certificate', certificateDecider, new URL('certificate.events.golden.json', import.meta.url));
