import { testEventCatalogue } from '@lyceum/testkit/testing';
import { planDecider } from './plan.ts';

testEventCatalogue('a membership plan', planDecider, new URL('plan.events.golden.json', import.meta.url));
