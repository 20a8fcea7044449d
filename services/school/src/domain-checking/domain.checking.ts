import { rowAs } from '@lyceum/documents';
import { type BackgroundJob, inRounds } from '@lyceum/service';
import { platformTenant } from '../directory/entry.ts';
import { type CheckPorts, CheckingRound, type Held, doubt } from './domain.checking-round.ts';
import { type DomainSettings, lookupOf } from '../domains/domain.settings.ts';
import { heldDomains } from '../domains/domain.held.ts';

/** Milliseconds between two rounds; a round looks at what is due. */
const betweenRounds = 3_600_000;
/** How many domains are looked at side by side. */
const atOnce = 8;
const pageSize = 200;

/**
 * Looks for the proof of every domain that is due, a few at a time, and writes down what changed. A domain of which no
 * name server tells is due again in the next round. A round that is broken off takes nothing away.
 */
export async function checkDomains(ports: CheckPorts, signal?: AbortSignal): Promise<void> {
  const { documents } = ports;
  const round = new CheckingRound(ports);
  for (let more = true, after: string | undefined; more;) {
    const place = after === undefined ? {} : { after: { value: after, id: after } };
    const page = await documents.query(heldDomains, platformTenant, { limit: pageSize, ...place });
    const waiting = page.items.map(({ body }) => rowAs<Held>(body)).values();
    const worker = async (): Promise<void> => {
      for (const held of waiting) {
        if (signal?.aborted) return;
        await round.look(held);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    if (signal?.aborted) return;
    after = page.items.at(-1)?.id;
    more = page.more;
  }
  await round.end();
}

/** Looks after the proofs of all domains, for as long as the service runs. */
export const checkingDomains: BackgroundJob<DomainSettings> = {
  name: 'checking-domains',
  begin(ports) {
    const resolveTxt = lookupOf(ports);
    const checking = inRounds((signal) => checkDomains({ ...ports, resolveTxt }, signal), {
      first: betweenRounds,
      every: betweenRounds,
      onError: (err) => ports.logger.error({ err }, 'the proofs of domains could not be checked'),
    });
    return {
      async close() {
        await checking.close();
        // Another process does it from now on.
        ports.watch?.alarm(...doubt, 0);
      },
    };
  },
};
