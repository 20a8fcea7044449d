import { testEventCatalogue } from '@lyceum/testkit/testing';
import { uploadDecider } from './upload.ts';

testEventCatalogue('an upload', uploadDecider, new URL('upload.events.golden.json', import.meta.url));
