import { testEventCatalogue } from '@lyceum/testkit/testing';
import { appearance } from './appearance.ts';

testEventCatalogue('an appearance', appearance, new URL('appearance.events.golden.json', import.meta.url));
