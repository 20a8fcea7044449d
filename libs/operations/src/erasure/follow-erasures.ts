import type { Message, Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import type { Searched, Vault } from '@lyceum/eventlog';
import { type Checkpoint, erasedSubject } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';

type Ports = Pick<ModulePorts, 'channel' | 'logger'> & {
  readonly vault: Pick<Vault, 'searched' | 'saveSearched'>;
};

/** Milliseconds after which it is kept how far a lane was searched. */
const saveEvery = 5_000;

/**
 * Follows the erasures that another service tells of, and goes on at a start from where its history was searched up to.
 * That is kept beside the keys: a key store that is put back from a backup, with keys that were destroyed since, brings
 * along the place from which they are destroyed again. `erase` gets the time at which the owner erased, RFC 3339; where it
 * throws, it is asked again, and what is behind waits.
 */
export function followErasures(
  { channel, vault, logger }: Ports,
  source: FactSource,
  consumer: string,
  erase: (tenant: string, subject: string, at: string) => Promise<void>,
): Pick<Subscribed, 'close'> {
  const far = new SearchedFar(source, vault, (err) =>
    logger.error({ err, source }, 'the search for erasures is not kept'),
  );
  const feed = channel.subscribe({
    consumer,
    source,
    from: (lane, epoch, head) => far.from(lane, epoch, head),
    async handle(message) {
      for (const fact of message.facts) {
        const subject = erasedSubject(fact);
        if (subject !== undefined) await erase(message.tenant, subject, message.at);
      }
      far.reached(message);
    },
  });
  return {
    async close() {
      await feed.close();
      await far.close();
    },
  };
}

/** How far the lanes of a service were searched for erasures, in the present epoch of its log. */
class SearchedFar {
  readonly #source: FactSource;
  readonly #vault: Ports['vault'];
  readonly #onError: (error: unknown) => void;
  readonly #reached = new Map<number, Searched>();
  #epoch: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: FactSource, vault: Ports['vault'], onError: (error: unknown) => void) {
    this.#source = source;
    this.#vault = vault;
    this.#onError = onError;
  }

  /** Where the search of a lane goes on: from its beginning where nothing is known, or the lane is shorter by now. */
  async from(lane: number, epoch: string | undefined, head = Infinity): Promise<Checkpoint> {
    if (epoch !== this.#epoch) this.#reached.clear();
    this.#epoch = epoch;
    const kept = epoch === undefined ? undefined : await this.#vault.searched(this.#key(epoch), lane);
    return kept && kept.position <= head ? kept : { position: 0 };
  }

  reached({ lane, position, commitId }: Pick<Message, 'lane' | 'position' | 'commitId'>): void {
    if (commitId === undefined || this.#epoch === undefined) return;
    this.#reached.set(lane, { position, commitId });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#save();
    }, saveEvery).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#save();
  }

  /** What cannot be kept costs the next start some reading. */
  async #save(): Promise<void> {
    const epoch = this.#epoch;
    if (epoch === undefined) return;
    const reached = [...this.#reached];
    this.#reached.clear();
    const kept = reached.map(([lane, searched]) => this.#vault.saveSearched(this.#key(epoch), lane, searched));
    await Promise.all(kept).catch(this.#onError);
  }

  #key(epoch: string): string {
    return `${this.#source}@${epoch}`;
  }
}
