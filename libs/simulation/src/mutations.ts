import type { Patch } from './patches.ts';

/** A fault put back into the code, by the name that the review gave it. */
export interface Mutation {
  readonly name: string;
  readonly patches: readonly Patch[];
}

export const mutations: readonly Mutation[] = [
  /** For a test: every seed counts as one that found something. */
  { name: 'nothing', patches: [] },
  { name: 'A6', patches: [] },
];
