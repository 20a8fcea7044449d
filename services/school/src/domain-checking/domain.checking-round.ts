import { hash } from 'node:crypto';
import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, ResolveTxt } from '@lyceum/service';
import { type DomainCheck, lastCheck, noteCheck } from '../domains/domain.checks.ts';
import type { Holding } from '../domain-holders/domain-holder.ts';
import { lookForProof } from '../domains/domain.proof.ts';
import { type DomainCommand, domainsDecider, domainsStream } from '../domains/domain.ts';

/** What looking after domains needs. */
export interface CheckPorts extends Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'ids' | 'watch'> {
  readonly logger: Pick<ModulePorts['logger'], 'warn' | 'error'>;
  readonly resolveTxt: ResolveTxt;
}

/** A domain that a school holds, and since when, RFC 3339. */
export type Held = Holding & { readonly since: string };

const day = 24 * 3_600_000;

/** When a domain is due: about a day after it was looked at, a tenth earlier or later, so that domains spread out. */
export function dueAfter(domain: string, last: string): number {
  const chance = Number.parseInt(hash('sha256', `${domain} ${last}`).slice(0, 8), 16) / 2 ** 32;
  return Date.parse(last) + day * (0.9 + 0.2 * chance);
}

/** Fewer domains without a proof than this are always believed. */
const fewestDoubted = 5;

/** What operators hear of while the name servers that are asked are not believed. */
export const doubt = ['school', 'domain_proofs_doubted'] as const;

/** A domain that was due and for which no proof was found. */
interface Lacking {
  readonly held: Held;
  readonly last: DomainCheck | undefined;
  readonly look: Awaited<ReturnType<typeof lookForProof>>;
}

/**
 * One round of looking for proofs. What is found counts at once, what is lacking when the round ends: when most of all
 * domains lack their proof, that is a fault of the name servers that are asked here, and nothing is taken away.
 */
export class CheckingRound {
  readonly #ports: CheckPorts;
  readonly #lacking: Lacking[] = [];
  #all = 0;
  /** Not due in this round, and missing when they were looked at. */
  #missing = 0;

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  /** Looks at a domain if it is due. What goes wrong is logged. */
  look(held: Held): Promise<void> {
    return this.#attempt(held, () => this.#lookIfDue(held));
  }

  /** Writes down what is lacking, if it is to be believed. */
  async end(): Promise<void> {
    const { logger, watch } = this.#ports;
    const [all, lacking] = [this.#all, this.#lacking.length + this.#missing];
    const isDoubtful = lacking >= fewestDoubted && lacking > all / 2;
    watch?.alarm(...doubt, isDoubtful ? lacking : 0);
    if (isDoubtful)
      logger.error({ all, lacking }, 'most domains lack their proof: the name servers asked are not believed');
    else for (const each of this.#lacking) await this.#attempt(each.held, () => this.#count(each));
  }

  async #lookIfDue(held: Held): Promise<void> {
    const { documents, clock, resolveTxt } = this.#ports;
    const { domain, school, proof } = held;
    const last = await lastCheck(documents, school, held);
    this.#all += 1;
    if (clock.now() < dueAfter(domain, last?.at ?? held.since)) {
      if (last?.missing) this.#missing += 1;
      return;
    }
    const look = await lookForProof(held, resolveTxt);
    if (look.proof !== 'there') return void this.#lacking.push({ held, last, look });
    const at = isoTime(clock.now());
    await this.#write(held, at, { type: 'FindProof', domain, proof });
    await noteCheck(documents, school, held, { at });
  }

  async #count({ held, last, look }: Lacking): Promise<void> {
    const { documents, clock, ids, logger } = this.#ports;
    const { domain, school, proof } = held;
    const at = isoTime(clock.now());
    const command = { domain, proof, at, next: ids.secret(24) };
    if (look.proof !== 'unknown') {
      await this.#takeAway(held, { type: 'MissProof', ...command });
      return noteCheck(documents, school, held, { at, missing: true });
    }
    logger.warn({ school, domain, err: look.cause }, 'no name server tells the proof of a domain');
    const since = last?.silent_since ?? at;
    await this.#takeAway(held, { type: 'NoteSilence', ...command, since });
    if (last?.silent_since === undefined)
      await noteCheck(documents, school, held, { at: null, ...last, silent_since: since });
  }

  async #takeAway(held: Held, command: Extract<DomainCommand, { at: string }>): Promise<void> {
    const { logger } = this.#ports;
    const { school, domain } = held;
    const types = (await this.#write(held, command.at, command)).map(({ type }) => type);
    const why = command.type === 'MissProof' ? 'its proof was gone' : 'its name servers were silent too long';
    if (types.includes('DomainLapsed')) logger.error({ school, domain }, `a domain has lapsed: ${why}`);
    else if (types.length > 0) logger.warn({ school, domain }, 'the proof of a domain is not there');
  }

  /** Writes what a look leads to. A domain that the school does not have any more leads to nothing. */
  async #write({ school, domain, proof }: Held, at: string, command: DomainCommand) {
    const commitId = uuidv5('domain-check', school, domain, proof, at);
    const target = { tenant: school, stream: domainsStream, command, at, meta: { actor: 'system' }, commitId } as const;
    const done = await execute(this.#ports.log, domainsDecider, target);
    return isRejection(done) ? [] : done.events;
  }

  #attempt({ school }: Held, step: () => Promise<void>): Promise<void> {
    return step().catch((err: unknown) =>
      this.#ports.logger.error({ err, school }, 'the proof of a domain could not be checked'),
    );
  }
}
