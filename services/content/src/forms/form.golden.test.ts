import { testEventCatalogue } from '@lyceum/testkit/testing';
import { formStream } from './form.ts';

testEventCatalogue('a form', formStream, new URL('form.events.golden.json', import.meta.url));
