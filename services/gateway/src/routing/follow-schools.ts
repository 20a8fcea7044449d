import { schoolFacts, uiLanguage } from '@lyceum/contracts';
import type { ModulePorts } from '@lyceum/service';
import { CurrentHostTable } from './current-host-table.ts';
import type { HostTable } from './host-table.ts';
import { HostTableStore } from './host-table-store.ts';
import { type School, schoolFrom } from './school.ts';
import { internedLook } from './interned-look.ts';

type Ports = Pick<ModulePorts, 'channel' | 'clock' | 'ephemeral'> & {
  readonly logger: Pick<ModulePorts['logger'], 'error' | 'debug'>;
};

/** Milliseconds after the start in which hosts count as they were kept, although no fact about schools has arrived since. */
const keptCounts = 60 * 60_000;

type Subscribed = ReturnType<ModulePorts['channel']['subscribe']>;

/** A fact about a school. */
interface SchoolFact {
  readonly tenant: string;
  readonly at: string;
  readonly fact: { readonly type: string; readonly data: unknown };
}

type Read = (hosts: HostTable, about: SchoolFact) => string | undefined;

/** The schools as the gateway knows them. */
export interface Schools extends Pick<Subscribed, 'caughtUp' | 'close'> {
  readonly hosts: CurrentHostTable;
  /** Resolves when what was kept of hosts before this start is known, if anything was. */
  readonly recalled: Promise<void>;
}

/**
 * Keeps the table of hosts equal to the facts of the school service, from the beginning of its history at every start and
 * in every epoch of its log. Gateways that share an ephemeral store keep the table there for the next start. A school that
 * cannot be served is logged and left out: it must not hold up the others of its lane.
 */
export function followSchools({ channel, clock, ephemeral, logger }: Ports, store?: HostTableStore): Schools {
  const hosts = new CurrentHostTable();
  const kept = store ?? new HostTableStore({ ephemeral, logger });
  const began = clock.now();
  const feed: Subscribed = channel.subscribe({
    consumer: 'gateway',
    source: 'school',
    async from(lane, epoch) {
      if (hosts.begin(lane, epoch)) void known(feed, hosts).then(() => kept.changed(undefined, () => hosts.whole));
      return 0;
    },
    async handle({ tenant, at: made, arrived, lane, position, facts }) {
      // A school that came from elsewhere holds nothing here from before it came.
      const at = arrived ?? made;
      const table = hosts.of(lane);
      if (!table) return;
      for (const fact of facts) {
        const problem = readers.get(fact.type)?.(table, { tenant, at, fact });
        if (problem) logger.error({ school: tenant, event: fact.type, lane, position }, problem);
        kept.changed(tenant, () => hosts.whole);
      }
    },
  });
  void known(feed, hosts).then(() => kept.changed(undefined, () => hosts.whole));
  const recalled = kept.recall().then((table) => table && hosts.recall(table, () => clock.now() - began < keptCounts));
  return {
    hosts,
    recalled,
    caughtUp: () => feed.caughtUp(),
    close: async () => void (await Promise.all([feed.close(), kept.close()])),
  };
}

/** Marks the tables as complete when they are, unless the feed is closed before. */
const known = (feed: Subscribed, hosts: CurrentHostTable): Promise<void> =>
  feed.caughtUp().then(
    () => hosts.caughtUp(),
    () => undefined,
  );

/** How each kind of fact changes the table; the result is what is wrong with a fact that cannot be applied. */
const readers = new Map<string, Read>(
  Object.entries({
    SchoolProvisioned(hosts, about) {
      return putSchool(hosts, about, schoolFacts.SchoolProvisioned.data.safeParse(about.fact.data).data);
    },
    SchoolMoved(hosts, about) {
      const moved = schoolFacts.SchoolMoved.data.safeParse(about.fact.data).data;
      const before = hosts.byId(about.tenant);
      return putSchool(hosts, about, moved && before && { name: before.name, locale: before.language, ...moved });
    },
    /** A look that cannot be read changes nothing: the school is shown as before. */
    AppearancePublished(hosts, { tenant, fact }) {
      const published = schoolFacts.AppearancePublished.data.safeParse(fact.data).data;
      const school = hosts.byId(tenant);
      if (published && school) hosts.change(Object.freeze({ ...school, look: internedLook(published) }));
      return undefined;
    },
    SchoolChanged(hosts, about) {
      const changed = schoolFacts.SchoolChanged.data.safeParse(about.fact.data).data;
      const before = hosts.byId(about.tenant);
      if (!before || !changed || (changed.name === undefined && changed.locale === undefined)) return undefined;
      const language = changed.locale === undefined ? before.language : uiLanguage({ school: changed.locale });
      hosts.change(Object.freeze({ ...before, name: changed.name ?? before.name, language }));
      return undefined;
    },
    SchoolSuspended: (hosts, { tenant }) => close(hosts, tenant, 'suspended'),
    SchoolResumed: (hosts, { tenant }) => close(hosts, tenant, undefined),
    SchoolClosed: (hosts, { tenant }) => close(hosts, tenant, 'closed'),
    SchoolSignUpSet(hosts, { tenant, fact }) {
      const set = schoolFacts.SchoolSignUpSet.data.safeParse(fact.data).data;
      const school = hosts.byId(tenant);
      if (set && school) hosts.change(Object.freeze({ ...school, isOpen: set.sign_up === 'open' }));
      return undefined;
    },
    DomainVerified(hosts, { tenant, at, fact }) {
      const domain = schoolFacts.DomainVerified.data.safeParse(fact.data).data?.domain;
      const isServed = domain !== undefined && hosts.addDomain(tenant, domain, at);
      return isServed ? undefined : 'a school has no usable domain';
    },
    DomainRemoved(hosts, { tenant, fact }) {
      const domain = schoolFacts.DomainRemoved.data.safeParse(fact.data).data?.domain;
      if (domain !== undefined) hosts.removeDomain(tenant, domain);
      return undefined;
    },
  } satisfies Readonly<Record<string, Read>>),
);

function close(hosts: HostTable, id: string, closure: School['closure']): undefined {
  const school = hosts.byId(id);
  if (school) hosts.change(Object.freeze({ ...school, closure }));
}

/** Puts a school at the address that it has after a fact. */
function putSchool(
  hosts: HostTable,
  { tenant, at }: SchoolFact,
  address: { name: string; host: string; base_url: string; locale: string } | undefined,
): string | undefined {
  const before = hosts.byId(tenant);
  const { look, isOpen, closure } = before ?? {};
  const school = address && schoolFrom({ id: tenant, look, isOpen, closure, ...address });
  if (!school) return 'a school has no usable address';
  const holder = hosts.put(school, at);
  return holder === undefined ? undefined : `another school, ${holder}, answers at its address and keeps it`;
}
