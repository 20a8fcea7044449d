import { type ModulePorts, followFacts } from '@lyceum/service';
import type { Hosts } from '../routing/host-table.ts';
import type { Door } from '../upstream/school-api.ts';
import { readCourse } from './content/course-detail.ts';
import { Documents } from './school-documents.ts';
import type { GatheredApi } from './openapi/collected-api.ts';
import { publicReader } from '../upstream/public-reader.ts';
import { ShopWindow } from './offer-cache.ts';

/** The documents of all schools, kept true to the facts. */
export interface OpenDocuments extends Pick<Documents, 'at' | 'pageAt'> {
  /** Whether they can be read already. */
  readonly isPublished: boolean;
  /** Makes them anew from what the services describe now. */
  publish(): void;
  close(): Promise<void>;
}

type Ports = Pick<ModulePorts, 'channel' | 'clock' | 'ids' | 'settings' | 'logger'>;

/** What the documents are read from and tell of. */
interface Told {
  /** A service by name; throws when nobody knows it. */
  readonly upstream: (service: string) => Door;
  readonly hasSignInAlias: boolean;
}

/** Opens the documents; there are none until `publish`. */
export function openDocuments(
  ports: Ports,
  hosts: Pick<Hosts, 'byId'>,
  api: Pick<GatheredApi, 'merged'>,
  { upstream, hasSignInAlias }: Told,
): OpenDocuments {
  const { clock, ids, settings, logger } = ports;
  let documents: Documents | undefined;
  const readOf = publicReader(upstream, ids);
  const shopWindow = new ShopWindow({
    readOf,
    onRead: (school, offers) => documents?.offer(school, offers),
    onError: ({ id }, err) => logger.warn({ school: id, err }, 'what the school offers cannot be read'),
  });
  const catalogue = followFacts(ports, 'catalog', 'gateway', ({ tenant }) => {
    const school = hosts.byId(tenant);
    if (school) documents?.changed(school);
  });
  return {
    at: (...asked) => documents?.at(...asked),
    pageAt: (...asked) => documents?.pageAt(...asked),
    get isPublished() {
      return documents !== undefined;
    },
    publish() {
      documents = new Documents({
        api: api.merged(),
        docsUrl: settings.DOCS_URL,
        limitFactor: settings.RATE_LIMIT_FACTOR,
        hasSignInAlias,
        offersOf: (school) => shopWindow.look(school),
        courseOf: (school, offer) => readCourse(readOf(school), offer),
        again: (school) => shopWindow.changed(school),
        clock,
      });
    },
    async close() {
      await catalogue.close();
      shopWindow.close();
    },
  };
}
