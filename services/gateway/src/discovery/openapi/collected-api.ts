import type { ModulePorts } from '@lyceum/service';
import { type ServiceDescription, type MergedApi, mergeApis } from './school-openapi.ts';
import { describedPaths, publicApi } from './public-documents.ts';
import { reconcileReleases } from './reconcile-releases.ts';
import { serviceOf } from '../../routing/service-of-path.ts';

const ownerOf = (path: string): string | undefined => (describedPaths.includes(path) ? 'gateway' : serviceOf(path));

type Log = Pick<ModulePorts['logger'], 'error' | 'warn'>;

/** What the services offer together, as far as it is known. */
export class CollectedApi {
  /** Of this process, so of this release. */
  readonly #siblings = new Map<string, ServiceDescription>();
  /** Of other processes, which may be of other releases. */
  readonly #elsewhere = new Map<string, ServiceDescription>();
  readonly #logger: Log;

  constructor(logger: Log) {
    this.#logger = logger;
    this.require({ service: 'gateway', document: publicApi() });
  }

  /** Takes the description of a service of this process. Throws `OpenApiConflict` when it contradicts the others of it. */
  require(described: ServiceDescription): void {
    const { service } = described;
    mergeApis([...this.#siblings.values()].filter((each) => each.service !== service).concat(described), ownerOf);
    this.#siblings.set(service, described);
  }

  /**
   * Takes the description of a service elsewhere, of whichever release it is. One that does not fit the others is
   * left out: it must not take theirs away.
   */
  receive(described: ServiceDescription): boolean {
    const { service: module } = described;
    const parts = [...this.#parts().filter(({ service }) => service !== module), described];
    try {
      const { described: fitted, differing } = reconcileReleases(parts, ownerOf);
      mergeApis(fitted, ownerOf);
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
    return mergeApis(reconcileReleases(this.#parts(), ownerOf).described, ownerOf);
  }

  #parts(): readonly ServiceDescription[] {
    return [...this.#siblings.values(), ...this.#elsewhere.values()];
  }
}
