import { testEventCatalogue } from '@lyceum/testkit/testing';
import { signUpRequestDecider } from './sign-up-request.ts';

testEventCatalogue('a sign-up', signUpRequestDecider, new URL('sign-up.events.golden.json', import.meta.url));
