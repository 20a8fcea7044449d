import { testEventCatalogue } from '@lyceum/testkit/testing';
import { couponDecider } from './coupon.ts';

testEventCatalogue('a coupon', couponDecider, new URL('coupon.events.golden.json', import.meta.url));
