export * from './module.ts';
export { type Cross, type DomainService, type Projection, type Slice } from './domain.ts';
export { type Arrival, followFacts } from './follow.ts';
export { isLoopback, originProblem } from './origin.ts';
export { keepSecret, readSecret } from './kept-secret.ts';
export { StartRefused } from './refusal.ts';
