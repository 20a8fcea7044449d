import { uiLanguage, wellKnownPaths } from '@lyceum/contracts';
import type { School } from '../routing/school.ts';
import { codeInPath, readCertificatePage } from './certificates/certificate-reading.ts';
import { calendarPage, isOfEvent } from './events/event-reading.ts';
import { invoiceCodeIn, readInvoicePage } from './invoices/invoice-reading.ts';
import { type Absent, CoursePageCache } from './pages/course-page-cache.ts';
import { type Site, resourceDocuments, resourcePaths } from './metadata/oauth-metadata.ts';
import { type Document, jsonDocument } from '../http/document.ts';
import type { ReadOffers } from './content/offers.ts';
import { openApi, openedScopes } from './openapi/school-openapi.ts';
import { publicPaths } from './openapi/public-documents.ts';
import { PerSchoolCache } from './per-school-cache.ts';
import type { DocumentsOptions, OfferDocuments, PreparedDocuments } from './prepared-documents.ts';
import { asJson, fixedDocuments, inLanguage, offerDocuments } from './rendered-documents.ts';
import { type Moved, SiteCache } from './site/site-cache.ts';
import { isOfSite } from './site/site-paths.ts';
import { referenceScripts } from './pages/reference-scripts.ts';

/** How many schools' documents are kept ready at least; a platform has more schools than are visited at once. */
const readySchools = 128;
/** The same for the description of the API, which is a third of a megabyte and read by few. */
const describedSchools = 16;

/** Milliseconds after which offers are read again when they are asked for, whether or not a change was received. */
const longestUnread = 30_000;

/** How the reader of a document asks for it: the headers Accept and Accept-Language. */
interface Reader {
  readonly accept?: string | undefined;
  readonly languages?: string | undefined;
}

/** The page of a course, by its slug. */
const coursePages = /^\/courses\/([a-z0-9-]{3,80})$/;
const sellingPaths = ['/', '/llms.txt', '/pricing.md'];

/** Whether a path shows what a school offers: one that is not open shows nothing of that. */
export const isOfVisitors = (path: string): boolean =>
  sellingPaths.includes(path) ||
  coursePages.test(path) ||
  isOfSite(path) ||
  isOfEvent(path) ||
  codeInPath(path) !== undefined;

/** The template of a document's path, e.g. `/courses/{slug}`. */
export const documentRoute = (path: string): string => path.replace(/^\/(courses|p|posts)\/[^/]+$/, '/$1/{slug}');

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
  readonly #site: SiteCache;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#opened = openedScopes(options.api);
    this.#courses = new CoursePageCache(options.courseOf);
    this.#site = new SiteCache(options.siteReading);
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

  /**
   * The page of a course, or a document of the school's site, in a language of the reader, where it is now, or why there is
   * none; undefined at every other path. Never rejects.
   */
  pageAt(school: School, path: string, languages?: string): Promise<Document | Absent | Moved> | undefined {
    if (isOfSite(path)) return this.#siteAt(school, path, languages);
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

  async #siteAt(school: School, path: string, languages: string | undefined): Promise<Document | Absent | Moved> {
    const { courses: offers, site: summary } = await this.#offered(this.#ready.of(school, () => this.#prepare(school)));
    const language = uiLanguage({ accepted: languages, school: school.language });
    return this.#site.at(path, { site: this.#siteOf(school), school, summary, offers, language });
  }

  /** Makes the page of an event or of a guest's registration, or tells why there is none; undefined at every other path. Never rejects. */
  calendarAt(school: School, path: string, languages?: string): (() => Promise<Document | Absent>) | undefined {
    const language = uiLanguage({ accepted: languages, school: school.language });
    return calendarPage(this.#options.calendarReading, path, { site: this.#siteOf(school), school, language });
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
    if (read?.unread.length !== 0 || !ready) return;
    const before = ready.offerDocuments;
    ready.offerDocuments = this.#renewed(school, read, before);
  }

  /** The documents of what was read now; the site stays as it was where only that could not be read. */
  async #renewed(
    school: School,
    read: ReadOffers,
    before: Promise<OfferDocuments> | undefined,
  ): Promise<OfferDocuments> {
    const site = read.site ?? (await before)?.site;
    return offerDocuments(this.#siteOf(school), school, site ? { ...read, site } : read);
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
