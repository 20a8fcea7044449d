import type { ModulePorts } from '@lyceum/service';
import { type ServiceDescription, type MergedApi, mergeApis } from './school-openapi.ts';
import { describedPaths, publicApi } from './public-documents.ts';
import { reconcileReleases } from './reconcile-releases.ts';
import { UnsoundDescription, distinct, requireSound } from './sound-description.ts';
import { type ServiceOf, serviceOf } from '../../routing/service-of-path.ts';

type Log = Pick<ModulePorts['logger'], 'error' | 'warn'>;

/** What the services offer together, as far as it is known. */
export class CollectedApi {
  /** Of this process, so of this release. */
  readonly #siblings = new Map<string, ServiceDescription>();
  /** Of other processes, which may be of other releases. */
  readonly #elsewhere = new Map<string, ServiceDescription>();
  readonly #logger: Log;
  readonly #ownerOf: ServiceOf;
  /** What they offer together, until one of them offers something else. */
  #merged: MergedApi | undefined;

  /** `finder` gives the service that the gateway sends a path to. */
  constructor(logger: Log, finder: ServiceOf = serviceOf) {
    this.#logger = logger;
    this.#ownerOf = (path) => (describedPaths.includes(path) ? 'gateway' : finder(path));
    this.require({ service: 'gateway', document: publicApi() });
  }

  /** Takes the description of a service of this process. Throws `OpenApiConflict` when it contradicts the others of it. */
  require(described: ServiceDescription): void {
    const { service } = described;
    mergeApis([...this.#siblings.values()].filter((each) => each.service !== service).concat(described), this.#ownerOf);
    this.#siblings.set(service, described);
    this.#merged = undefined;
  }

  /**
   * Takes the description of a service elsewhere, of whichever release or team it is. One that is unsound or does not fit
   * the others is left out, and what it said before stays: it must not take theirs away.
   */
  receive(described: ServiceDescription): boolean {
    const { service: module } = described;
    try {
      requireSound(described);
      const parts = distinct([...this.#parts().filter(({ service }) => service !== module), described], this.#ownerOf);
      if (!parts.includes(described)) throw new UnsoundDescription(`${module} has the id of another operation`);
      const { described: fitted, differing } = reconcileReleases(parts, this.#ownerOf);
      this.#merged = mergeApis(fitted, this.#ownerOf);
      // The last, as it was just now: what was tried is what is served.
      this.#elsewhere.delete(module);
      this.#elsewhere.set(module, described);
      for (const [other, names] of differing)
        this.#logger.warn({ module: other, differing: names }, 'a service of another release is described');
      return true;
    } catch (err) {
      this.#logger.error({ module, err }, 'the description of a service is left out');
      return false;
    }
  }

  merged(): MergedApi {
    return (this.#merged ??= mergeApis(
      reconcileReleases(distinct(this.#parts(), this.#ownerOf), this.#ownerOf).described,
      this.#ownerOf,
    ));
  }

  #parts(): readonly ServiceDescription[] {
    return [...this.#siblings.values(), ...this.#elsewhere.values()];
  }
}
