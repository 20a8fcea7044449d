import { type Site, discoveryDocuments } from './discovery.ts';
import { type Document, jsonDocument } from './document.ts';
import { indexPage } from './index-page.ts';
import { type MergedApi, openApi } from './openapi.ts';
import { publicPaths } from './openapi-public.ts';
import type { School } from '../school.ts';

/** How many schools' documents are kept ready; a platform has more schools than are visited at once. */
const mostReady = 256;

/**
 * The documents of every school, rendered once and kept as bytes. A school's facts make a new `School` value, and thereby
 * new documents; the least recently rendered school is forgotten beyond the limit.
 */
export class Documents {
  readonly #ready = new Map<string, { readonly school: School; readonly byPath: ReadonlyMap<string, Document> }>();
  readonly #api: MergedApi;
  readonly #docsUrl: string;

  constructor(api: MergedApi, docsUrl: string) {
    this.#api = api;
    this.#docsUrl = docsUrl;
  }

  /** The document of a school at a path; undefined when the gateway itself has nothing there. */
  at(school: School, path: string): Document | undefined {
    return publicPaths.includes(path) ? this.#of(school).get(path) : undefined;
  }

  #of(school: School): ReadonlyMap<string, Document> {
    const known = this.#ready.get(school.id);
    if (known?.school === school) return known.byPath;
    const byPath = render({ baseUrl: school.baseUrl, name: school.name, docsUrl: this.#docsUrl }, this.#api);
    this.#ready.delete(school.id);
    this.#ready.set(school.id, { school, byPath });
    if (this.#ready.size > mostReady) this.#ready.delete(this.#ready.keys().next().value!);
    return byPath;
  }
}

const render = (site: Site, api: MergedApi): ReadonlyMap<string, Document> =>
  new Map([
    ['/', indexPage(site)],
    ['/openapi.json', jsonDocument(openApi(api, site))],
    ...Object.entries(discoveryDocuments(site)).map(([path, value]) => [path, jsonDocument(value)] as const),
  ]);
