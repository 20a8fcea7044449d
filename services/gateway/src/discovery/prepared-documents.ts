import type { Clock } from '@lyceum/kernel';
import type { Document } from '../http/document.ts';
import type { School } from '../routing/school.ts';
import type { CertificateDetail } from './certificates/certificate-detail.ts';
import type { CourseDetail } from './content/course-detail.ts';
import type { Offer, ReadOffers } from './content/offers.ts';
import type { CalendarReading } from './events/event-reading.ts';
import type { InvoiceDetail } from './invoices/invoice-detail.ts';
import type { MergedApi } from './openapi/school-openapi.ts';
import type { SiteReading } from './site/site-cache.ts';
import type { SiteSummary } from './site/site-summary.ts';

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
  /** Reads the pages and posts of its site. */
  readonly siteReading: SiteReading;
  /** Reads the events of its calendar, and the registrations of guests. */
  readonly calendarReading: CalendarReading;
  /** Asks for the offers of a school to be read again, and `offer` to be called. */
  readonly again: (school: School) => void;
  readonly clock: Clock;
}

/** What a school offers now, and the documents that list it. */
export interface OfferDocuments {
  /** undefined when nobody can tell which courses are offered. */
  readonly courses: readonly Offer[] | undefined;
  /** What the site has; undefined when nobody can tell. */
  readonly site: SiteSummary | undefined;
  readonly documents: ReadonlyMap<string, Document>;
}

/** The documents of one school: those that stand, and those that also tell what it sells. */
export interface PreparedDocuments {
  readonly school: School;
  readonly fixedDocuments: ReadonlyMap<string, Document>;
  /** At custom domains, by address; made when asked for. */
  readonly atCustomDomains: Map<string, Document>;
  offerDocuments?: Promise<OfferDocuments>;
  /** When the offers were read, or begun to be. */
  readAt: number;
}
