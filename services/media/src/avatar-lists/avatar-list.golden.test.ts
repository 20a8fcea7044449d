import { testEventCatalogue } from '@lyceum/testkit/testing';
import { avatarList } from './avatar-list.ts';

testEventCatalogue('the avatars of a person', avatarList, new URL('avatar-list.events.golden.json', import.meta.url));
