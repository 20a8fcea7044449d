import { schoolFacts, uiLanguage } from '@lyceum/contracts';
import { FollowedSource, type FollowedState, StateSnapshots, snapshotCollection } from '@lyceum/internal-api';
import type { ModulePorts } from '@lyceum/service';
import { CurrentHostTable } from './current-host-table.ts';
import type { HostTable, KeptSchool } from './host-table.ts';
import { HostTableStore } from './host-table-store.ts';
import { type School, schoolFrom } from './school.ts';
import { internedLook } from './interned-look.ts';

type Ports = Pick<ModulePorts, 'channel' | 'clock' | 'ephemeral' | 'keptDocuments'> & {
  readonly logger: Pick<ModulePorts['logger'], 'error' | 'debug'>;
};

/** Milliseconds after the start in which hosts count as they were kept, although no fact about schools has arrived since. */
const keptCounts = 60 * 60_000;

/** A release whose hosts depend on more facts has another version. */
const collection = snapshotCollection('hosts', 1);

/** A fact about a school. */
interface SchoolFact {
  readonly tenant: string;
  readonly at: string;
  readonly fact: { readonly type: string; readonly data: unknown };
}

type Read = (hosts: HostTable, about: SchoolFact) => string | undefined;

/** The schools as the gateway knows them. */
export interface Schools extends Pick<FollowedSource, 'caughtUp' | 'close'> {
  readonly hosts: CurrentHostTable;
  /** Resolves when what was kept of hosts before this start is known, if anything was. */
  readonly recalled: Promise<void>;
}

/**
 * Keeps the table of hosts equal to the facts of the school service, in every epoch of its log. Where the process keeps
 * documents, the table is kept there and a start reads what is new; elsewhere it reads all. Gateways that share an ephemeral
 * store keep the table there, too, for a start while the school service is away. A school that cannot be served is logged
 * and left out: it must not hold up the others of its lane.
 */
export function followSchools(ports: Ports, store?: HostTableStore): Schools {
  const { channel, clock, ephemeral, keptDocuments: documents, logger } = ports;
  const hosts = new CurrentHostTable();
  const kept = store ?? new HostTableStore({ ephemeral, logger });
  const began = clock.now();
  const onError = (err: unknown) => logger.error({ err }, 'hosts could not be kept; they are tried again');
  const changed = (school?: string): void => kept.changed(school, () => hosts.whole);
  const state = stateOf(hosts, logger, changed, () => void known(followed, hosts).then(() => changed()));
  const snapshots = documents && new StateSnapshots({ documents, collection, state, clock, onError });
  const followed: FollowedSource = new FollowedSource({
    channel,
    clock,
    onError,
    source: 'school',
    consumer: 'gateway',
    state,
    snapshots,
  });
  void known(followed, hosts).then(() => changed());
  const recalled = kept.recall().then((table) => table && hosts.recall(table, () => clock.now() - began < keptCounts));
  return {
    hosts,
    recalled,
    caughtUp: () => followed.caughtUp(),
    async close() {
      await Promise.all([followed.close(), kept.close()]);
      await snapshots?.close();
    },
  };
}

/** Marks the tables as complete when they are, unless the source is closed before. */
const known = (followed: FollowedSource, hosts: CurrentHostTable): Promise<void> =>
  followed.caughtUp().then(
    () => hosts.caughtUp(),
    () => undefined,
  );

/** The table as a state. It knows by itself which of its tables an epoch belongs to, so that it forgets nothing while it serves. */
const stateOf = (
  hosts: CurrentHostTable,
  logger: Ports['logger'],
  changed: (school: string) => void,
  anotherBegins: () => void,
): FollowedState<KeptSchool> => ({
  begin(lane, epoch) {
    if (hosts.begin(lane, epoch)) anotherBegins();
  },
  apply({ tenant, at: made, arrived, lane, position, fact }) {
    const [table, read] = [hosts.of(lane), readers.get(fact.type)];
    if (!table || !read) return [];
    // A school that came from elsewhere holds nothing here from before it came.
    const problem = read(table, { tenant, at: arrived ?? made, fact });
    if (problem) logger.error({ school: tenant, event: fact.type, lane, position }, problem);
    changed(tenant);
    const body = table.kept(tenant);
    return body ? [{ id: tenant, source: 'school', isLasting: true, body }] : [];
  },
  recall: ({ body }, lane) => hosts.of(lane)?.recall(body),
  forget: () => undefined,
});

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
