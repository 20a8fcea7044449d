export { type Engines, type GivenEvent, enginesOf } from './engines.ts';
export { expectRebuiltAlike } from './rebuilding.ts';
export {
  type Got,
  type Sent,
  type ServiceUnderTest,
  type UnderTestOptions,
  serviceUnderTest,
} from './service-under-test.ts';
