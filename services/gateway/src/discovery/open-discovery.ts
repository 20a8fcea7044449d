import { factsOf } from '@lyceum/contracts';
import { type ModulePorts, followNews } from '@lyceum/service';
import type { HostTable } from '../routing/host-table.ts';
import { type ClientOf, publicApiOf, publicReader } from '../upstream/school-api.ts';
import { readCertificate } from './certificates/certificate-detail.ts';
import { readCourse } from './content/course-detail.ts';
import { readEvent, readRegistration } from './events/event-detail.ts';
import { readInvoice } from './invoices/invoice-detail.ts';
import { SchoolDocuments } from './school-documents.ts';
import type { CollectedApi } from './openapi/collected-api.ts';
import { OfferCache } from './offer-cache.ts';
import { readPage, readPost } from './site/site-detail.ts';

/** The documents of all schools, kept true to the facts. */
export interface Discovery extends Pick<
  SchoolDocuments,
  'at' | 'pageAt' | 'certificateAt' | 'invoiceAt' | 'calendarAt'
> {
  /** Whether they can be read already. */
  readonly isPublished: boolean;
  /** Makes them anew from what the services describe now. */
  publish(): void;
  close(): Promise<void>;
}

type Ports = Pick<ModulePorts, 'channel' | 'clock' | 'ids' | 'settings' | 'logger'>;

/** What the documents are read from, and what they describe. */
interface Sources {
  readonly clientOf: ClientOf;
  readonly hasSignInAlias: boolean;
}

/** Opens the documents; there are none until `publish`. */
export function openDiscovery(
  ports: Ports,
  hosts: Pick<HostTable, 'byId'>,
  api: Pick<CollectedApi, 'merged'>,
  { clientOf, hasSignInAlias }: Sources,
): Discovery {
  const { clock, ids, settings, logger } = ports;
  let documents: SchoolDocuments | undefined;
  const readOf = publicReader(clientOf, ids);
  const apiOf = publicApiOf(clientOf, ids);
  const offerCache = new OfferCache({
    readOf,
    onRead: (school, read) => documents?.offer(school, read),
    onError: ({ id }, err) => logger.warn({ school: id, err }, 'what the school offers cannot be read'),
  });
  const changed = (tenant: string) => {
    const school = hosts.byId(tenant);
    if (school) documents?.changed(school);
  };
  const catalogue = followNews(ports, 'catalog', 'gateway', ({ tenant }) => changed(tenant));
  // Most of what is sold is sold without becoming another offer.
  const plans = followNews(ports, 'commerce', 'gateway', ({ tenant, fact: { type } }) => {
    if (factsOf('commerce')[type]?.offer) changed(tenant);
  });
  const site = followNews(ports, 'content', 'gateway', ({ tenant, fact: { type } }) => {
    if (factsOf('content')[type]?.offer) changed(tenant);
  });
  return {
    at: (...asked) => documents?.at(...asked),
    pageAt: (...asked) => documents?.pageAt(...asked),
    certificateAt: (...asked) => documents?.certificateAt(...asked),
    invoiceAt: (...asked) => documents?.invoiceAt(...asked),
    calendarAt: (...asked) => documents?.calendarAt(...asked),
    get isPublished() {
      return documents !== undefined;
    },
    publish() {
      documents = new SchoolDocuments({
        api: api.merged(),
        docsUrl: settings.DOCS_URL,
        limitFactor: settings.RATE_LIMIT_FACTOR,
        hasSignInAlias,
        offersOf: (school) => offerCache.look(school),
        courseOf: (school, offer) => readCourse(readOf(school), offer),
        certificateOf: (school, code) => readCertificate(apiOf(school), code),
        invoiceOf: (school, code) => readInvoice(apiOf(school), code),
        siteReading: {
          page: (school, slug) => readPage(apiOf(school), slug),
          post: (school, slug) => readPost(apiOf(school), slug),
        },
        calendarReading: {
          eventOf: (school, slug) => readEvent(apiOf(school), slug),
          registrationOf: (school, code) => readRegistration(apiOf(school), code),
        },
        again: (school) => offerCache.changed(school),
        clock,
      });
    },
    async close() {
      await Promise.all([catalogue.close(), plans.close(), site.close()]);
      offerCache.close();
    },
  };
}
