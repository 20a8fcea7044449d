import type { ServiceQuery } from '@lyceum/internal-api';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { findOpenAccount } from './account-registry.ts';

const asked = z.object({ school: z.string(), account: z.string() });

/**
 * Answers other services with the name, the address and the language of an account: integration events carry ids only.
 * Undefined when there is no such account any more.
 */
export async function answerAccountQuery(question: ServiceQuery, ports: Pick<Ports, 'log'>): Promise<unknown> {
  const { school, account } = asked.parse(question);
  const found = await findOpenAccount(ports, school, account);
  return found && { email: found.email, name: found.name, locale: found.locale };
}
