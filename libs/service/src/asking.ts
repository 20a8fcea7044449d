import { Problem } from '@lyceum/web';
import type { z } from 'zod';
import type { ModulePorts } from './module.ts';

/** What a service asks others with. */
export type AskingPorts = Pick<ModulePorts, 'ask' | 'logger'>;

/**
 * Asks another service; undefined when it knows nothing of it. Throws the 503 problem when it gives no answer, or one that
 * is not understood.
 */
export async function askFor<Answer extends z.ZodType>(
  { ask, logger }: AskingPorts,
  service: string,
  question: { kind: string; [about: string]: unknown },
  answer: Answer,
): Promise<z.output<Answer> | undefined> {
  try {
    const given = await ask?.(service, question);
    return given === undefined ? undefined : answer.parse(given);
  } catch (err) {
    logger.error({ err, service }, `a service does not answer ${question.kind}`);
    throw new Problem('temporarily_unavailable', `The ${service} service is awaited`, {
      headers: { 'Retry-After': '1' },
    });
  }
}
