import { testEventCatalogue } from '@lyceum/testkit/testing';
import { importDecider, importRows } from './import.ts';

testEventCatalogue('an import', importDecider, new URL('import.events.golden.json', import.meta.url));
testEventCatalogue('the rows of an import', importRows, new URL('import-rows.events.golden.json', import.meta.url));
