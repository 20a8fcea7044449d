import type { Condition, Found } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import {
  type Call,
  type Ports,
  type Reply,
  fieldsOf,
  filterConditions,
  listFilters,
  listReply,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { attemptOf, attempts } from './attempt.rows.ts';
import { attemptReply } from './attempt.schema.ts';
import { areAnswersShown, attemptDecider, attemptStream } from './attempt.ts';
import { attemptDocument } from './attempt.view.ts';

/** The query of a list of attempts. */
export const attemptFilters = { ...listFilters, ...fieldsOf(attemptReply) } as const;

const query = z.strictObject(attemptFilters);

/** What a list of attempts is made with. */
type Listing = Pick<Call, 'school' | 'view' | 'page'> & { readonly query: z.output<typeof query> };

/**
 * A page of the attempts that fulfil the conditions. To a member they tell what is right as far as the quiz of each is
 * passed, or used up, by now.
 */
export async function listAttempts(
  { school, view, page, query: asked }: Listing,
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
  where: readonly Condition[],
): Promise<Reply> {
  const sort = orderOf(asked);
  const found = await documents.query(attempts, school, {
    where: [...where, ...filterConditions(asked)],
    sort,
    ...page,
  });
  const streams = [...new Set(found.items.map(({ body }) => attemptStream(attemptOf(body))))];
  const states = await Promise.all(streams.map(async (id) => (await fold(log, attemptDecider, school, id)).state));
  const shown = new Set(streams.filter((_id, at) => areAnswersShown(states[at] ?? attemptDecider.initial)));
  const toBody = ({ id, body }: Found) => {
    const attempt = attemptOf(body);
    return attemptDocument(id, attempt, { view, answersShown: shown.has(attemptStream(attempt)) });
  };
  return listReply(found, toBody, sort);
}
