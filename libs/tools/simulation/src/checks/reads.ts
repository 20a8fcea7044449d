import { rowAs } from '@lyceum/documents';
import type { Known, Ledger } from './ledger.ts';
import type { Node } from '../node.ts';
import { type PersonView, newPeople, oldPeople } from '../services/school.view.ts';
import type { ServiceName, World } from '../world.ts';

/** Milliseconds after an erasure was acknowledged in which a read model may still show the name. */
const purging = 1_500;

/** What clients read, and what they must never see. */
export class Reads {
  readonly #world: World;
  readonly #ledger: Ledger;
  /** The newest version of a stream that a process has shown or acknowledged. */
  readonly #versions = new Map<string, number>();
  /** Something was put back, which may bring back whoever was erased until their erasure is found again. */
  isRestored = false;

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** A process has shown a client the stream at a version. */
  acknowledged(node: Node, { tenant, stream, service }: Known & { service: ServiceName }, version: number): void {
    const key = `${node.name} ${service} ${tenant} ${stream}`;
    this.#versions.set(key, Math.max(version, this.#versions.get(key) ?? 0));
  }

  /** Somebody reads a person: from the log, and from the read model. */
  read(someone: Known): void {
    const nodes = this.#world.serving('school');
    if (nodes.length === 0) return;
    const node = this.#world.random.pick(nodes);
    this.#world.within(node, () => {
      void this.#fromLog(node, someone).catch(() => undefined);
      void this.#fromModel(node, someone).catch(() => undefined);
    });
  }

  async #fromLog(node: Node, { tenant, stream }: Known): Promise<void> {
    const key = `${node.name} school ${tenant} ${stream}`;
    const least = this.#versions.get(key) ?? 0;
    const { heads } = await node.serving!.ports.log.load(tenant, [stream]);
    const version = heads[stream] ?? 0;
    if (version < least)
      this.#world.fail(`${node.name} reads ${tenant} ${stream} at version ${version} after it had shown ${least}`);
    this.acknowledged(node, { tenant, stream, service: 'school' }, version);
  }

  async #fromModel(node: Node, { tenant, stream }: Known): Promise<void> {
    const { ports } = node.serving!;
    const model = node.release.number === 1 ? oldPeople : newPeople;
    const began = this.#world.scheduler.now;
    const view = rowAs<PersonView>(await ports.documents.get(model.collection, tenant, stream));
    const erased = this.#ledger.erasures.get(`${tenant}\0${stream.replace('-', '_')}`)?.doneAt;
    if (!view?.name || erased === undefined || this.isRestored) return;
    if (began - erased > purging)
      this.#world.fail(`${node.name} tells the name of ${tenant} ${stream}, who was erased ${began - erased} ms ago`);
  }
}
