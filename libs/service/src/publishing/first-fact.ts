import type { ToFact } from './envelope.ts';
import { erasureFact } from './erasure-fact.ts';

/** A service's events belong to one slice each, so at most one has something to say. */
export const firstOf =
  (published: readonly ToFact[]): ToFact =>
  (event, at) => {
    for (const toFact of published) {
      const fact = toFact(event, at);
      if (fact) return fact;
    }
    return erasureFact(event);
  };
