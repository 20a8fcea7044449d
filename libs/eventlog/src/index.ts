export * from './port.ts';
export * from './execute.ts';
