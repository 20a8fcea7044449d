import type { FactSource } from '@lyceum/contracts';
import { type Commit, type Following, Unavailable, type Vault, startRelay } from '@lyceum/eventlog';
import { type Checkpoint, type Meta, erasedSubject, isoTime } from '@lyceum/kernel';
import { type ModulePorts, type Started, writeErasure } from '@lyceum/service';
import { followErasures } from './follow-erasures.ts';

type ErasingPorts = Pick<ModulePorts, 'log' | 'documents' | 'channel' | 'clock' | 'logger' | 'vault'>;

/** Erases people from one service. */
export interface Eraser {
  readonly service: string;
  /** Whether the service has, or had, data about a subject. */
  knows(school: string, subject: string): Promise<boolean>;
  /**
   * Destroys the key of a subject, so that nothing about them can be read again, then tells the service's own log, from
   * which documents are purged and other services learn it. May be repeated; cut off anywhere, the next start completes it.
   * Throws `Unavailable` when read models still showed the person after a while: the key is gone, they follow by themselves.
   * `at`: when it was first asked for, now when not given. It is the same in the logs of all services, so that a school
   * that moves brings along what its erasures have written already.
   */
  erase(school: string, subject: string, meta: Meta, at?: string): Promise<void>;
  close(): Promise<void>;
}

/** What erasing needs to know of a service. */
export interface ErasingService {
  readonly name: string;
  /** Services whose erasures are carried out here too. */
  readonly sources: readonly FactSource[];
  readonly started: Pick<Started, 'erased' | 'purged'>;
  /** Milliseconds that an erasure waits for read models; 5,000 when not given. */
  readonly patience?: number;
}

const system: Meta = { actor: 'system' };

const usualPatience = 5_000;

/**
 * Begins to carry out erasures in a service: those that were cut off, those that other services tell of, and those that
 * another process of the service has begun.
 */
export async function startErasing(ports: ErasingPorts, service: ErasingService): Promise<Eraser> {
  const { channel, vault, logger } = ports;
  const { name, sources, started } = service;
  const carryOut = async (school: string, subject: string, meta: Meta, at = isoTime(ports.clock.now())) => {
    await vault.destroy(school, subject);
    const written = await writeErasure(ports.log, { school, subject, meta, at });
    await started.erased?.(school, subject);
    const isPurged = await purge(ports, service, written);
    await vault.markReported(school, subject);
    return isPurged;
  };
  for (const { tenant, subject } of await unfinished(vault)) await carryOut(tenant, subject, system);
  /** Those that failed half-way: the key is gone, and the rest is still owed. */
  const owed = new Set<string>();
  const foreign = sources.map((source) =>
    followErasures({ channel, vault, logger }, source, `${name}.erasures`, async (tenant, subject, at) => {
      const key = JSON.stringify([tenant, subject]);
      if (!owed.has(key) && (await vault.keyStatus(tenant, subject)) === 'erased') return;
      owed.add(key);
      await carryOut(tenant, subject, system, at);
      owed.delete(key);
    }),
  );
  const own = followOwn(ports, service);
  return {
    service: name,
    async erase(...whom) {
      if (!(await carryOut(...whom))) throw new Unavailable('read models have not taken the person out yet');
    },
    knows: async (school, subject) => (await vault.keyStatus(school, subject)) !== undefined,
    close: async () => void (await Promise.all([own, ...foreign].map((each) => each.close()))),
  };
}

/** Erasures whose key is destroyed and which went no further. */
async function unfinished(vault: Vault): Promise<Awaited<ReturnType<Vault['unreported']>>> {
  return vault.unreported(10_000);
}

/**
 * Whether what readers get of the read models is without the person. Resolves when it is, and the files keep nothing of it,
 * or after a while: a slower one is purged all the same, and scrubbed with the next.
 */
async function purge(
  { documents }: ErasingPorts,
  { started, patience = usualPatience }: ErasingService,
  written: Pick<Commit, 'lane' | 'position'>,
): Promise<boolean> {
  const isPurged = (await started.purged?.(written, patience)) ?? true;
  await documents.scrub?.();
  return isPurged;
}

/**
 * Where the search of a lane goes on: from its beginning when the key store knows of no search in this log epoch, and when
 * the log ends before it. One that was put back and has grown is searched from its beginning, too, as its follower notices.
 */
async function searchFrom({ log, vault }: ErasingPorts, epoch: string, lane: number): Promise<Checkpoint> {
  const kept = await vault.searched(epoch, lane);
  return kept && (await log.head(lane)) >= kept.position ? kept : { position: 0 };
}

/**
 * Drops the keys of subjects whose erasure is in the log, by any writer: another process of the service, or this one
 * before the key store was restored from a backup in which the key still was.
 */
function followOwn(ports: ErasingPorts, service: ErasingService): Following {
  const { log, vault, logger } = ports;
  const epoch = log.epoch ?? '';
  return startRelay(log, {
    from: (lane) => searchFrom(ports, epoch, lane),
    saveEvery: 5_000,
    saved: async (lane, position, commitId) =>
      commitId === undefined ? undefined : vault.saveSearched(epoch, lane, { position, commitId }),
    onError: (err, lane) => logger.error({ err, lane }, 'an erasure failed; it is tried again'),
    async publish(commits) {
      for (const { tenant, events, ...at } of commits)
        for (const event of events) {
          const subject = erasedSubject(event);
          if (subject === undefined) continue;
          const status = await vault.keyStatus(tenant, subject);
          vault.forget(tenant, subject);
          if (status === 'erased') continue;
          await vault.destroy(tenant, subject);
          await purge(ports, service, at);
          await vault.markReported(tenant, subject);
        }
    },
  });
}
