import { type AskingPorts, askFor } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { OfferedProduct } from './offered-product.ts';

const file = z.object({ file_id: z.string(), name: z.string(), size: z.int(), type: z.string() });

const offered = z.object({
  products: z.record(
    z.string(),
    z.object({
      title: z.string(),
      status: z.enum(['draft', 'published', 'unpublished', 'archived']),
      access: z.string(),
      download_limit: z.int().nullable(),
      link_ttl_s: z.int(),
      files: z.array(file),
      created_by: z.string(),
    }),
  ),
});

/**
 * Digital products by their ids, at most 100, as of now; without those that there are not. Throws the 503 problem when the
 * catalog cannot tell.
 */
export async function offeredProducts(
  asking: AskingPorts,
  school: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OfferedProduct>> {
  if (ids.length === 0) return new Map();
  const answer = await askFor(asking, 'catalog', { kind: 'offered-products', school, ids }, offered);
  // A catalog service of the release before does not know the question.
  if (!answer)
    throw new Problem('temporarily_unavailable', 'The catalog service cannot tell digital products yet', {
      headers: { 'Retry-After': '1' },
    });
  return new Map(Object.entries(answer.products));
}

/** One digital product as of now; undefined when there is none of this id. Throws what `offeredProducts` throws. */
export const offeredProduct = async (
  asking: AskingPorts,
  school: string,
  id: string,
): Promise<OfferedProduct | undefined> => (await offeredProducts(asking, school, [id])).get(id);
