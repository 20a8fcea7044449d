import { testEventCatalogue } from '@lyceum/testkit/testing';
import { profileDecider } from './profile.ts';

testEventCatalogue('the profile of a school', profileDecider, new URL('profile.events.golden.json', import.meta.url));
