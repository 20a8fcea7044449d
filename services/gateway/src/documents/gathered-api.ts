import type { ModulePorts } from '@lyceum/runtime';
import { type Described, type MergedApi, mergeApis } from './openapi.ts';
import { publicApi, publicPaths } from './openapi-public.ts';
import { serviceOf } from '../routes.ts';

const ownerOf = (path: string): string | undefined => (publicPaths.includes(path) ? 'gateway' : serviceOf(path));

/** What the services offer together, as far as it is known. */
export class GatheredApi {
  readonly #parts = new Map<string, Described>();
  readonly #logger: Pick<ModulePorts['logger'], 'error'>;

  constructor(logger: Pick<ModulePorts['logger'], 'error'>) {
    this.#logger = logger;
    this.require({ service: 'gateway', document: publicApi() });
  }

  /** Takes the description of a service. Throws `OpenApiConflict` when it contradicts the others. */
  require(described: Described): void {
    mergeApis([...this.#others(described), described], ownerOf);
    this.#parts.set(described.service, described);
  }

  /** Takes it if it fits. A service of a wrong release must not take the descriptions of the others away. */
  learn(described: Described): boolean {
    try {
      this.require(described);
      return true;
    } catch (err) {
      this.#logger.error({ module: described.service, err }, 'the description of a service is left out');
      return false;
    }
  }

  merged(): MergedApi {
    return mergeApis([...this.#parts.values()], ownerOf);
  }

  #others({ service }: Described): Described[] {
    return [...this.#parts.values()].filter((part) => part.service !== service);
  }
}
