import { testEventCatalogue } from '@lyceum/testkit/testing';
import { storageUse } from './storage-use.ts';

testEventCatalogue('the storage of a school', storageUse, new URL('storage-use.events.golden.json', import.meta.url));
