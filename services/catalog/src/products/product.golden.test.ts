import { testEventCatalogue } from '@lyceum/testkit/testing';
import { productDecider } from './product.ts';

testEventCatalogue('a digital product', productDecider, new URL('product.events.golden.json', import.meta.url));
