import { type Operation, operation } from '@lyceum/web';
import { z } from 'zod';
import type { Watch } from '@lyceum/service';

const withheldRow = z
  .object({
    source: z.string().meta({ description: 'The service whose facts they are' }),
    school: z.string(),
    lane: z.int(),
    position: z.int().meta({ description: 'The commit that cannot be told' }),
    since: z.string(),
    error: z.string(),
  })
  .meta({ id: 'WithheldFacts' });

/** The schools that are not told of: an operator sees which commit is why. */
export const withheldOperation = (watch: Watch): Operation =>
  operation({
    id: 'listWithheldFacts',
    method: 'GET',
    path: '/internal/withheld',
    area: 'operations',
    summary: 'List schools whose facts are withheld from other services',
    description:
      'A commit that no fact can be made of withholds all later facts of its school, in this service; nobody of it is ' +
      'signed in meanwhile, and no other school waits. A release that can tell the commit does so when it starts.',
    anonymous: false,
    status: 200,
    reply: z.object({ data: z.array(withheldRow) }),
    handle: async () => ({ body: { data: watch.withheld() } }),
  });
