export * from './module.ts';
export { type Cross, type DomainService, type Projection, type Slice } from './domain.ts';
