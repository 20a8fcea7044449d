import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, ResolveTxt, StandingWork } from '@lyceum/runtime';
import { hash } from 'node:crypto';
import { platformTenant } from '../directory/entry.ts';
import { lastCheck, noteCheck } from './domain-checks.ts';
import type { Holding } from './domain-holder.ts';
import { lookForProof } from './domain.proof.ts';
import { type DomainSettings, lookupOf } from './domain.settings.ts';
import { type DomainCommand, domains, domainsStream } from './domain.ts';
import { heldDomains } from './held-domains.ts';

/** What looking after domains needs. */
export interface CheckPorts extends Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'ids'> {
  readonly logger: Pick<ModulePorts['logger'], 'warn' | 'error'>;
  readonly resolveTxt: ResolveTxt;
}

/** A domain that a school holds, and since when, RFC 3339. */
type Held = Holding & { readonly since: string };

/** Milliseconds between two rounds; a round looks at what is due. */
const betweenRounds = 3_600_000;
const day = 24 * 3_600_000;
/** How many domains are looked at side by side. */
const atOnce = 8;
const pageSize = 200;

/** When a domain is due: about a day after it was looked at, a tenth earlier or later, so that domains spread out. */
export function dueAfter(domain: string, last: string): number {
  const chance = Number.parseInt(hash('sha256', `${domain} ${last}`).slice(0, 8), 16) / 2 ** 32;
  return Date.parse(last) + day * (0.9 + 0.2 * chance);
}

/**
 * Looks for the proof of every domain that is due, a few at a time, and writes down what changed. A domain of which no
 * name server tells is left as it is and is due again in the next round.
 */
export async function checkDomains(ports: CheckPorts, signal?: AbortSignal): Promise<void> {
  const { documents } = ports;
  for (let more = true, after: string | undefined; more;) {
    if (signal?.aborted) return;
    const place = after === undefined ? {} : { after: { value: after, id: after } };
    const page = await documents.query(heldDomains, platformTenant, { limit: pageSize, ...place });
    const waiting = page.items.map(({ body }) => body as unknown as Held).values();
    const worker = async (): Promise<void> => {
      for (const held of waiting) {
        if (signal?.aborted) return;
        await checkDomain(ports, held).catch((err: unknown) =>
          ports.logger.error({ err, school: held.school }, 'the proof of a domain could not be checked'),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    after = page.items.at(-1)?.id;
    more = page.more;
  }
}

async function checkDomain(ports: CheckPorts, held: Held): Promise<void> {
  const { documents, clock, ids, logger, resolveTxt } = ports;
  const { domain, school, proof } = held;
  const last = (await lastCheck(documents, school, held)) ?? held.since;
  if (clock.now() < dueAfter(domain, last)) return;
  const look = await lookForProof(held, resolveTxt);
  if (look.proof === 'unknown')
    return logger.warn({ school, domain, err: look.cause }, 'no name server tells the proof of a domain');
  const at = isoTime(clock.now());
  if (look.proof === 'there') await write(ports, held, at, { kind: 'find', domain, proof });
  else await miss(ports, held, at, { kind: 'miss', domain, proof, at, next: ids.secret(24) });
  await noteCheck(documents, school, held, at);
}

async function miss(ports: CheckPorts, held: Held, at: string, command: DomainCommand): Promise<void> {
  const types = (await write(ports, held, at, command)).map(({ type }) => type);
  const { school, domain } = held;
  if (types.includes('DomainLapsed')) ports.logger.error({ school, domain }, 'a domain has lapsed: its proof was gone');
  else if (types.length > 0) ports.logger.warn({ school, domain }, 'the proof of a domain is not there');
}

/** Writes what a look leads to. A domain that the school does not have any more leads to nothing. */
async function write({ log }: CheckPorts, { school, domain, proof }: Held, at: string, command: DomainCommand) {
  const commitId = uuidv5('domain-check', school, domain, proof, at);
  const target = { tenant: school, stream: domainsStream, command, at, meta: { actor: 'system' }, commitId } as const;
  const done = await execute(log, domains, target);
  return isRejection(done) ? [] : done.events;
}

/** Looks after the proofs of all domains, for as long as the service runs. */
export const checkingDomains: StandingWork<DomainSettings> = {
  name: 'checking-domains',
  begin(ports) {
    const closing = new AbortController();
    const { signal } = closing;
    const { logger } = ports;
    const resolveTxt = lookupOf(ports);
    const checking = (async () => {
      while (!signal.aborted) {
        await delay(betweenRounds, undefined, { signal, ref: false }).catch(() => undefined);
        if (!signal.aborted)
          await checkDomains({ ...ports, resolveTxt }, signal).catch((err: unknown) =>
            logger.error({ err }, 'the proofs of domains could not be checked'),
          );
      }
    })();
    return {
      async close() {
        closing.abort();
        await checking;
      },
    };
  },
};
