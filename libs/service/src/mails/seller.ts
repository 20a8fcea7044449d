import type { ModulePorts } from '../module.ts';
import { z } from 'zod';

/** Who sells, as the school service says it: by a question, because its own words may be about a person. */
const seller = z.object({
  name: z.string(),
  /** Legal name, address and tax id, as they stand on invoices; null = the school has not said them. */
  details: z.string().nullable(),
  /** Where the school is found. */
  base_url: z.string(),
  /** BCP 47. */
  locale: z.string(),
  /** IANA name. */
  timezone: z.string(),
});

/** Who sells. */
export type Seller = z.output<typeof seller>;

/**
 * Who sells. Throws while the school service does not say: it is away, of a release that does not know the question, or the
 * school is still arriving from another installation.
 */
export async function sellerOf({ ask }: Pick<ModulePorts, 'ask'>, school: string): Promise<Seller> {
  const answer = await ask?.('school', { kind: 'seller', school });
  if (answer === undefined) throw new Error('the school service does not say yet who sells');
  return seller.parse(answer);
}
