export { FakeClock, FakeIds } from './fakes.ts';
export { given } from './spec.ts';
