import { fold } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { productDecider } from './product.ts';

const asked = z.object({ school: z.string(), ids: z.array(z.string()).max(100) });

/** Digital products by their ids, drafts too, as of now: for the service whose members download them. Without those that there are not. */
export async function answerOfferedProducts(question: unknown, { log }: Pick<Ports, 'log'>) {
  const { school, ids } = asked.parse(question);
  const wanted = [...new Set(ids)].filter((id) => id.startsWith('product_'));
  const found = await Promise.all(
    wanted.map(async (id) => [id, (await fold(log, productDecider, school, id)).state] as const),
  );
  return {
    products: Object.fromEntries(
      found.flatMap(([id, product]) => {
        if (!product) return [];
        const { title, status, access, download_limit, link_ttl_s, files, created_by } = product;
        return [[id, { title, status, access, download_limit, link_ttl_s, files, created_by }]];
      }),
    ),
  };
}
