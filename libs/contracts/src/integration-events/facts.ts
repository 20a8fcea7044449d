import type { z } from 'zod';
import { authFacts } from './auth.ts';
import { catalogFacts } from './catalog.ts';
import { commerceFacts } from './commerce.ts';
import { contentFacts } from './content.ts';
import type { IntegrationEvent } from './declaration.ts';
import { learningFacts } from './learning.ts';
import { mediaFacts } from './media.ts';
import { schoolFacts } from './school.ts';

/** Every integration event by its owner. What a service publishes is declared there and nowhere else. */
export const facts = {
  school: schoolFacts,
  auth: authFacts,
  catalog: catalogFacts,
  learning: learningFacts,
  media: mediaFacts,
  commerce: commerceFacts,
  content: contentFacts,
} as const;

/** A service that publishes integration events. */
export type FactSource = keyof typeof facts;

/** An integration event of a source, with typed data. */
export type FactOf<Source extends FactSource> = {
  [T in keyof (typeof facts)[Source] & string]: (typeof facts)[Source][T] extends { data: infer D extends z.ZodType }
    ? { readonly type: T; readonly data: z.infer<D> }
    : never;
}[keyof (typeof facts)[Source] & string];

/** The services that publish integration events. */
export const factSources = [
  'school',
  'auth',
  'catalog',
  'learning',
  'media',
  'commerce',
  'content',
] as const satisfies readonly FactSource[];

/** The declarations of a service's integration events, by type. */
export const factsOf = (source: FactSource): Readonly<Record<string, IntegrationEvent>> => facts[source];

/** Integration events that nobody may learn late: they decide who may do what. */
export const urgentFacts: ReadonlySet<string> = new Set(
  factSources.flatMap((source) =>
    Object.entries(factsOf(source)).flatMap(([type, { urgent }]) => (urgent ? type : [])),
  ),
);
