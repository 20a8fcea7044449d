import { testEventCatalogue } from '@lyceum/testkit/testing';
import { signUpAsk } from './sign-up-request.ts';

testEventCatalogue('a sign-up', signUpAsk, new URL('sign-up.events.golden.json', import.meta.url));
