import { type UiLanguage, uiLanguage, uiLocales, wellKnownPaths } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { serverDocuments } from './metadata/mcp-server-card.ts';
import type { School } from '../routing/school.ts';
import { llmsTxt } from './metadata/llms-txt.ts';
import { apiCatalog } from './metadata/api-catalog.ts';
import { authMd } from './metadata/auth-md.ts';
import type { CertificateDetail } from './certificates/certificate-detail.ts';
import type { CourseDetail } from './content/course-detail.ts';
import { codeInPath, readCertificatePage } from './certificates/certificate-reading.ts';
import type { InvoiceDetail } from './invoices/invoice-detail.ts';
import { invoiceCodeIn, readInvoicePage } from './invoices/invoice-reading.ts';
import { type Absent, CoursePageCache } from './pages/course-page-cache.ts';
import { type Site, discoveryDocuments, resourceDocuments, resourcePaths } from './metadata/oauth-metadata.ts';
import { type Document, document, jsonDocument } from '../http/document.ts';
import { landingJson, landingPage } from './pages/landing-page.ts';
import type { Offer, ReadOffers } from './content/offers.ts';
import { type MergedApi, openApi, openedScopes } from './openapi/school-openapi.ts';
import { publicPaths } from './openapi/public-documents.ts';
import { PerSchoolCache } from './per-school-cache.ts';
import { pricingMd } from './metadata/pricing-md.ts';
import { referenceClient, referencePage } from './pages/reference-page.ts';
import { referenceScripts } from './pages/reference-scripts.ts';

/** How many schools' documents are kept ready at least; a platform has more schools than are visited at once. */
const readySchools = 128;
/** The same for the description of the API, which is a third of a megabyte and read by few. */
const describedSchools = 16;

/** What the documents are made from, beside the school. */
export interface DocumentsOptions {
  readonly api: MergedApi;
  /** Where the documentation is; undefined = `/docs` of each school. */
  readonly docsUrl: string | undefined;
  readonly limitFactor: number;
  /** Whether there is an address of the MCP server at which clients have to sign in. */
  readonly hasSignInAlias?: boolean;
  /** What a school offers now; undefined when nobody can tell. */
  readonly offersOf: (school: School) => Promise<ReadOffers | undefined>;
  /** Reads all of a course that is offered; rejects when it cannot be read. */
  readonly courseOf: (school: School, offer: Offer) => Promise<CourseDetail>;
  /** Reads the certificate that a code is of; undefined when there is none, rejects when it cannot be read. */
  readonly certificateOf: (school: School, code: string) => Promise<CertificateDetail | undefined>;
  /** Reads the invoice that a code is of; undefined when there is none, rejects when it cannot be read. */
  readonly invoiceOf: (school: School, code: string) => Promise<InvoiceDetail | undefined>;
  /** Asks for the offers of a school to be read again, and `offer` to be called. */
  readonly again: (school: School) => void;
  readonly clock: Clock;
}

/** Milliseconds after which offers are read again when they are asked for, whether or not a change was received. */
const longestUnread = 30_000;

/** How the reader of a document asks for it: the headers Accept and Accept-Language. */
interface Reader {
  readonly accept?: string | undefined;
  readonly languages?: string | undefined;
}

/** What a school offers now, and the documents that list it. */
interface OfferDocuments {
  /** undefined when nobody can tell which courses are offered. */
  readonly courses: readonly Offer[] | undefined;
  readonly documents: ReadonlyMap<string, Document>;
}

/** The documents of one school: those that stand, and those that also tell what it sells. */
interface PreparedDocuments {
  readonly school: School;
  readonly fixedDocuments: ReadonlyMap<string, Document>;
  /** At custom domains, by address; made when asked for. */
  readonly atCustomDomains: Map<string, Document>;
  offerDocuments?: Promise<OfferDocuments>;
  /** When the offers were read, or begun to be. */
  readAt: number;
}

/** The document that programs get where people get a page. */
const asJson = (path: string): string => `${path} as JSON`;
/** The page that people get who read a language. */
const inLanguage = (path: string, language: UiLanguage): string => `${path} in ${language}`;
/** The page of a course, by its slug. */
const coursePages = /^\/courses\/([a-z0-9-]{3,80})$/;
const sellingPaths = ['/', '/llms.txt', '/pricing.md'];

/** Whether a path shows what a school offers: one that is not open shows nothing of that. */
export const isOfVisitors = (path: string): boolean =>
  sellingPaths.includes(path) || coursePages.test(path) || codeInPath(path) !== undefined;

/**
 * The documents of every school, rendered once and kept as bytes. A school's facts make a new `School` value, and thereby
 * new documents; none is made before it is asked for, and the school that was asked for longest ago is forgotten beyond the limit.
 */
export class SchoolDocuments {
  readonly #ready = new PerSchoolCache<PreparedDocuments>(readySchools);
  readonly #described = new PerSchoolCache<Document>(describedSchools);
  readonly #options: DocumentsOptions;
  readonly #opened: ReadonlySet<string>;
  readonly #scripts = referenceScripts();
  readonly #courses: CoursePageCache;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#opened = openedScopes(options.api);
    this.#courses = new CoursePageCache(options.courseOf);
  }

  /**
   * The document of a school at a path, as its reader asks for it; undefined when the gateway itself has nothing there. A
   * promise for a document that lists what the school sells. `origin`: the custom domain that was asked, if it was one.
   */
  at(
    school: School,
    path: string,
    { accept = '', languages }: Reader = {},
    origin?: string,
  ): Document | Promise<Document> | undefined {
    if (!publicPaths.includes(path)) return undefined;
    if (path === '/openapi.json') return this.#described.of(school, () => this.#describe(school));
    const ready = this.#ready.of(school, () => this.#prepare(school));
    if (origin !== undefined && resourcePaths.includes(path)) return this.#resourceAt(ready, path, origin);
    if (!sellingPaths.includes(path)) return ready.fixedDocuments.get(path) ?? this.#scripts.get(path);
    const language = uiLanguage({ accepted: languages, school: school.language });
    const wanted = path !== '/' ? path : prefersJson(accept) ? asJson(path) : inLanguage(path, language);
    return this.#offered(ready).then(({ documents }) => documents.get(wanted)!);
  }

  /** The page of a course, in a language of the reader, or why there is none; undefined at every other path. Never rejects. */
  pageAt(school: School, path: string, languages?: string): Promise<Document | Absent> | undefined {
    const slug = coursePages.exec(path)?.[1];
    return slug === undefined ? undefined : this.#course(school, slug, languages);
  }

  /** Makes the page of a certificate, or tells why there is none; undefined at every other path. Never rejects. */
  certificateAt(school: School, path: string, languages?: string): (() => Promise<Document | Absent>) | undefined {
    const code = codeInPath(path);
    if (code === undefined) return undefined;
    const language = uiLanguage({ accepted: languages, school: school.language });
    return () =>
      readCertificatePage(this.#options.certificateOf, { site: this.#siteOf(school), school, code, language });
  }

  /** Makes the page of an invoice, or tells why there is none; undefined at every other path. Never rejects. */
  invoiceAt(school: School, path: string, languages?: string): (() => Promise<Document | Absent>) | undefined {
    const code = invoiceCodeIn(path);
    if (code === undefined) return undefined;
    const language = uiLanguage({ accepted: languages, school: school.language });
    return () => readInvoicePage(this.#options.invoiceOf, { site: this.#siteOf(school), school, code, language });
  }

  async #course(school: School, slug: string, languages: string | undefined): Promise<Document | Absent> {
    const { courses: offers } = await this.#offered(this.#ready.of(school, () => this.#prepare(school)));
    const language = uiLanguage({ accepted: languages, school: school.language });
    return this.#courses.at({ site: this.#siteOf(school), school, offers, slug, language });
  }

  /** What a school offers: as it was read last, or read now. */
  #offered(ready: PreparedDocuments): Promise<OfferDocuments> {
    if (!ready.offerDocuments) ready.offerDocuments = this.#sell(ready);
    else if (this.#options.clock.now() - ready.readAt > longestUnread) this.#read(ready);
    return ready.offerDocuments;
  }

  /** Something about what the school offers is different. Schools whose documents nobody has asked for are passed over. */
  changed(school: School): void {
    const ready = this.#ready.known(school);
    if (ready?.offerDocuments) this.#read(ready);
  }

  /** The school offers something else from now on. What could be read in part only does not replace what was read. */
  offer(school: School, read: ReadOffers | undefined): void {
    const ready = this.#ready.known(school);
    if (read?.unread.length === 0 && ready)
      ready.offerDocuments = Promise.resolve(offerDocuments(this.#siteOf(school), school, read));
  }

  #read(ready: PreparedDocuments): void {
    ready.readAt = this.#options.clock.now();
    this.#options.again(ready.school);
  }

  async #sell(ready: PreparedDocuments): Promise<OfferDocuments> {
    ready.readAt = this.#options.clock.now();
    const read = await this.#options.offersOf(ready.school);
    // What nobody could tell just now may be known at the next request.
    if (read?.unread.length !== 0) delete ready.offerDocuments;
    return offerDocuments(this.#siteOf(ready.school), ready.school, read);
  }

  #siteOf({ baseUrl, name }: School): Site {
    const { docsUrl = `${baseUrl}/docs`, limitFactor, hasSignInAlias = false } = this.#options;
    const hasMcp = publicPaths.includes(wellKnownPaths.mcpProtectedResource);
    return { baseUrl, name, docsUrl, limitFactor, hasMcp, hasSignInAlias };
  }

  #prepare(school: School): PreparedDocuments {
    return {
      school,
      fixedDocuments: fixedDocuments(this.#siteOf(school), school, this.#opened),
      atCustomDomains: new Map(),
      readAt: 0,
    };
  }

  /** What the resource at a custom domain is; a school has few domains. */
  #resourceAt({ school, atCustomDomains }: PreparedDocuments, path: string, origin: string): Document {
    const known = atCustomDomains.get(origin + path);
    if (known) return known;
    for (const [each, value] of Object.entries(resourceDocuments(this.#siteOf(school), origin)))
      atCustomDomains.set(origin + each, jsonDocument(value));
    return atCustomDomains.get(origin + path)!;
  }

  #describe(school: School): Document {
    return jsonDocument(openApi(this.#options.api, this.#siteOf(school)));
  }
}

/** Whether a program asks: one that names JSON and no page. */
const prefersJson = (accept: string): boolean =>
  /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);

const markdown = 'text/markdown; charset=utf-8';

function fixedDocuments(site: Site, school: School, opened: ReadonlySet<string>): ReadonlyMap<string, Document> {
  const reference = referencePage(site, school.look);
  return new Map([
    ['/auth.md', document(markdown, authMd(site, opened))],
    [wellKnownPaths.apiCatalog, catalogDocument(site)],
    ...Object.entries(discoveryDocuments(site)).map(([path, value]) => [path, jsonDocument(value)] as const),
    ...serverDocuments(site).map(({ path, type, value }) => [path, jsonDocument(value, type)] as const),
    ['/docs', reference],
    ['/docs/callback', reference],
    ['/docs/client.json', referenceClient(site)],
  ]);
}

/** @see RFC 9727 §3.1 */
const catalogDocument = (site: Site): Document =>
  document(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    JSON.stringify(apiCatalog(site)),
    {
      headers: { Link: `<${site.baseUrl}${wellKnownPaths.apiCatalog}>; rel="api-catalog"` },
    },
  );

function offerDocuments(site: Site, school: School, read: ReadOffers | undefined): OfferDocuments {
  const offers = read?.offers;
  const cache = read?.unread.length === 0 ? 'public, no-cache' : 'no-store';
  const documents = new Map([
    ...uiLocales.map((language) => [inLanguage('/', language), landingPage(site, school, offers, language)] as const),
    [asJson('/'), landingJson(site, offers)],
    ['/llms.txt', document('text/plain; charset=utf-8', llmsTxt(site, offers ?? []), { cache })],
    ['/pricing.md', document(markdown, pricingMd(site, read), { cache })],
  ]);
  return { courses: read?.unread.includes('course') ? undefined : offers, documents };
}
