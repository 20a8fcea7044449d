import { testEventCatalogue } from '@lyceum/testkit/testing';
import { appearanceDecider } from './appearance.ts';

testEventCatalogue('an appearance', appearanceDecider, new URL('appearance.events.golden.json', import.meta.url));
