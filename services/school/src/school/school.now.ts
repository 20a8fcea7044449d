import { imagePath, isFileId } from '@lyceum/contracts';
import { type EventLog, type VersionedCommand, fold } from '@lyceum/eventlog';
import { type Call, Problem, memoized } from '@lyceum/web';
import { lifecycleDecider, lifecycleStream } from './lifecycle.ts';
import { profileDecider, profileOf, profileStream } from './profile.ts';
import { schoolDecider } from './school.ts';

type Reading = { readonly log: EventLog };

/**
 * A school as its streams tell it now: that of its existence, and those beside it. Its version is the sum of theirs, so
 * that each change of any raises it. Throws the problem that there is none.
 */
export async function schoolNow({ log }: Reading, id: string) {
  const [born, profile, lifecycle] = await Promise.all([
    fold(log, schoolDecider, id, id),
    fold(log, profileDecider, id, profileStream),
    fold(log, lifecycleDecider, id, lifecycleStream),
  ]);
  if (!born.state) throw new Problem('not_found', 'There is no school at this address');
  const streams = [
    { stream: id, version: born.version },
    { stream: profileStream, version: profile.version },
    { stream: lifecycleStream, version: lifecycle.version },
  ];
  return {
    school: born.state,
    profile: profile.state,
    lifecycle: lifecycle.state,
    streams,
    version: streams.reduce((sum, { version }) => sum + version, 0),
    lane: born.lane,
    position: Math.max(born.position, profile.position, lifecycle.position),
  };
}

/** A school as of now. */
export type SchoolNow = Awaited<ReturnType<typeof schoolNow>>;

/** How a command to one stream of a school is asked, so that If-Match counts for the whole school. */
interface Matching<Command> {
  readonly expected: readonly number[] | undefined;
  readonly command: () => Promise<VersionedCommand<Command>>;
}

/**
 * A command to one stream of a school that follows from all of them; with If-Match it is written at one of the versions of
 * the whole only. Throws the problem that there is no such version any more.
 */
export async function matching<Command>(
  { school, expected }: Pick<Call, 'school' | 'expected'>,
  ports: Reading,
  stream: string,
  commandFrom: (now: SchoolNow) => Command,
): Promise<Matching<Command>> {
  const first = await schoolNow(ports, school);
  const own = (now: SchoolNow) => now.streams.find((each) => each.stream === stream)?.version ?? 0;
  return {
    expected: expected?.includes(first.version) ? [own(first)] : expected && [],
    async command() {
      const now = await schoolNow(ports, school);
      if (expected && !expected.includes(now.version)) throw new Problem('precondition_failed');
      const expectedVersions = now.streams.filter((each) => each.stream !== stream);
      return { command: commandFrom(now), expectedVersions };
    },
  };
}

const later = (one: string, other: string | null): string => (other !== null && other > one ? other : one);

const imageAt = (image: string | null | undefined, base: string): string | null =>
  isFileId(image) ? base + imagePath(image) : (image ?? null);

/** What of a school is the same for everybody who may see it. */
function documentFrom(now: Pick<SchoolNow, 'school' | 'profile' | 'lifecycle' | 'version'>, id: string) {
  const { school, profile, lifecycle } = now;
  const said = profileOf(school, profile);
  return {
    id,
    object: 'school',
    name: said.name,
    tagline: said.tagline,
    logo: imageAt(said.logo, school.base_url),
    favicon: imageAt(said.favicon, school.base_url),
    primary_domain: school.host,
    base_url: school.base_url,
    locale: said.locale,
    timezone: said.timezone,
    currency: said.currency,
    contact_email: said.contact_email || null,
    social_links: said.social_links,
    legal: said.legal,
    navigation: said.navigation,
    sign_up: school.sign_up,
    slug: school.slug,
    status: lifecycle.status,
    suspended_for: lifecycle.reason,
    is_currency_locked: profile.isCurrencyLocked,
    settings: {
      student_email_to_lecturers: said.student_email_to_lecturers,
      comment_policy: said.comment_policy,
      tax: said.tax,
      suspend_access_on_dispute: said.suspend_access_on_dispute,
      invoice_details: said.invoice_details || null,
      notifications: said.notifications,
    },
    created_at: school.provisioned_at,
    updated_at: later(later(school.changed_at, profile.changed_at), lifecycle.changed_at),
    version: now.version,
  };
}

const memoizedDocument = memoized(documentFrom);

/** The last combination of states, by the first of them: each is the same object until its stream changes. */
const known = new WeakMap<object, SchoolNow>();

/** The document of a school, but for its domains; made once for each combination of states. */
export function schoolDocument(now: SchoolNow, id: string) {
  const before = known.get(now.school);
  const isSame = before?.profile === now.profile && before.lifecycle === now.lifecycle;
  if (!isSame) known.set(now.school, now);
  return memoizedDocument(isSame ? before : now, id);
}
