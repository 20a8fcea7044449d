export * from './module.ts';
export { type DomainService, type Slice, domainModule } from './domain.ts';
export { type Cross, publishFacts } from './publish.ts';
export { followProjection, projectLog } from './projecting.ts';
export { type Arrival, followFacts } from './follow.ts';
export { isLoopback, originProblem } from './origin.ts';
export { keepSecret, readSecret } from './kept-secret.ts';
export { StartRefused } from './refusal.ts';
