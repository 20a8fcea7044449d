import { schoolFacts } from '@lyceum/contracts';
import type { ModulePorts } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { HostTable } from './host-table.ts';

type Ports = Pick<ModulePorts, 'ephemeral'> & { readonly logger: Pick<ModulePorts['logger'], 'debug'> };

/** Parts of the table, each kept by itself: a change of one school writes one of them. */
const parts = 64;

const week = 7 * 24 * 3_600_000;
const day = week / 7;

/** Milliseconds between a change and its being kept: changes of a moment are written together. Also before another try to read. */
const usualPause = 1_000;

/** How often what was kept is read, where it cannot be: a machine on which everything starts at once answers late. */
const mostTries = 3;

const look = schoolFacts.AppearancePublished.data.omit({ revision: true });
const keptPart = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    base_url: z.string(),
    locale: z.string(),
    isOpen: z.boolean(),
    closure: z.enum(['suspended', 'closed']).optional(),
    look: look.optional(),
    domains: z.array(z.string()),
  }),
);

const keyOf = (part: number): string => `_platform gateway.hosts ${part}`;

/** In which part a school is. */
function partOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at += 1) hash = (hash * 31 + id.charCodeAt(at)) % 1_000_003;
  return hash % parts;
}

/**
 * Keeps the table of hosts where gateways share what is short-lived, for a start while the school service is away. It may be
 * lost at any time; then hosts are known again when the school service answers. All gateways write the same.
 */
export class HostTableStore {
  readonly #ports: Ports;
  readonly #pause: number;
  readonly #closing = new AbortController();
  readonly #changed = new Set<number>();
  #saving: Promise<void> | undefined;
  #renewed = performance.now();

  constructor(ports: Ports, pause = usualPause) {
    this.#ports = ports;
    this.#pause = pause;
  }

  /** The table as it was kept; undefined when nothing was, or it cannot be read, also not a moment later. */
  async recall(): Promise<HostTable | undefined> {
    if (!this.#ports.ephemeral.isShared) return undefined;
    for (let tries = 1; ; tries += 1)
      try {
        return await this.#read();
      } catch (err) {
        this.#ports.logger.debug({ err }, 'what was kept of hosts cannot be read');
        if (tries === mostTries || this.#closing.signal.aborted) return undefined;
        await delay(this.#pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
  }

  async #read(): Promise<HostTable | undefined> {
    const keys = Array.from({ length: parts }, (_, part) => keyOf(part));
    const texts = await Promise.all(keys.map((key) => this.#ports.ephemeral.get(key)));
    const kept = texts.flatMap((text) => (text === undefined ? [] : keptPart.parse(JSON.parse(text))));
    if (kept.length === 0) return undefined;
    const hosts = new HostTable();
    for (const school of kept) hosts.recall(school);
    return hosts;
  }

  /** A school changed, or all of them may have; `hosts` gives the whole table then, undefined while it is not known. */
  changed(id: string | undefined, hosts: () => HostTable | undefined): void {
    if (!this.#ports.ephemeral.isShared) return;
    if (id !== undefined) this.#changed.add(partOf(id));
    else for (let part = 0; part < parts; part += 1) this.#changed.add(part);
    this.#saving ??= this.#save(hosts).finally(() => (this.#saving = undefined));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#saving;
  }

  async #save(hosts: () => HostTable | undefined): Promise<void> {
    while (this.#changed.size > 0 && !this.#closing.signal.aborted) {
      await delay(this.#pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      const table = hosts();
      // What is known of half a table would take the place of a whole one.
      if (!table) return;
      if (performance.now() - this.#renewed > day) {
        this.#renewed = performance.now();
        for (let part = 0; part < parts; part += 1) this.#changed.add(part);
      }
      const now = new Set(this.#changed);
      this.#changed.clear();
      const texts = new Map([...now].map((part) => [part, [] as unknown[]]));
      for (const each of table.held()) texts.get(partOf(each.id))?.push(each);
      for (const [part, schools] of texts)
        await this.#put(keyOf(part), schools.length === 0 ? undefined : JSON.stringify(schools)).catch(
          (err: unknown) => {
            this.#changed.add(part);
            this.#ports.logger.debug({ err }, 'hosts could not be kept; they are tried again');
          },
        );
    }
  }

  /** Another gateway may write the same part meanwhile: the next change of it is tried again. */
  async #put(key: string, text: string | undefined): Promise<void> {
    const { ephemeral } = this.#ports;
    const before = await ephemeral.get(key);
    if (before !== undefined) await ephemeral.compareAndDelete(key, before);
    if (text !== undefined) await ephemeral.putIfAbsent(key, text, week);
  }
}
