export { type Evolution, type Fixture, testEventCatalogue } from './golden/golden.ts';
