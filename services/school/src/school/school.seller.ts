import { fold } from '@lyceum/eventlog';
import type { ServiceQuery } from '@lyceum/internal-api';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import { profileDecider, profileOf, profileStream } from './profile.ts';
import { schoolDecider } from './school.ts';

const asked = z.object({ school: z.string() });

/**
 * Answers who sells at a school, for what is written to buyers: what it says for invoices is in no integration event.
 * Undefined when there is no such school, or it is still arriving from another installation.
 */
export async function answerSeller(question: ServiceQuery, { log }: Pick<Ports, 'log'>): Promise<unknown> {
  const { school: id } = asked.parse(question);
  const [{ state: school }, { state: profile }, { state: arrival }] = await Promise.all([
    fold(log, schoolDecider, id, id),
    fold(log, profileDecider, id, profileStream),
    fold(log, arrivalDecider, id, arrivalStream),
  ]);
  if (!school || arrival?.complete === false) return undefined;
  const { name, invoice_details, locale, timezone } = profileOf(school, profile);
  return { name, details: invoice_details || null, base_url: school.base_url, locale, timezone };
}
