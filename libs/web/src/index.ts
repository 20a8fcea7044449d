export * from './operation.ts';
export * from './problem.ts';
