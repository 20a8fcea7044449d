import { createHash, randomUUID } from 'node:crypto';

// oxlint-disable-next-line typescript/no-explicit-any -- hostile lines have whatever shape an attacker gives them
export type Line = any;

/** A file of lines with the last line that belongs to it. */
export function fileOf(lines: readonly Line[]): string {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`;
}

/** The lines of an export but the last, as another school at another address. */
export function asAnother(text: string, slug: string, base_url: string): Line[] {
  const [first = ''] = text.split('\n');
  const from = JSON.parse(first).school as string;
  const lines = text
    .replaceAll(from, `school_${randomUUID()}`)
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  const [header, ...rest] = lines;
  const place = { ...header.place, slug, base_url, host: new URL(base_url).host };
  return [{ ...header, departure: `departure_${randomUUID()}`, place }, ...rest];
}

type Lines = Line[];
const uuid = '00000000-0000-4000-8000-000000000000';
const commits = (lines: Lines): Lines => lines.filter(({ commit }) => commit);
const commitWith = (lines: Lines, type: string): Line =>
  commits(lines).find(({ commit }) => commit.events.some((event: Line) => event.type === type)).commit;

/** One more commit of a service, with one event of a stream. */
const adds =
  (service: string, stream: (school: string) => string, type: string, data: unknown, more: object = {}) =>
  (lines: Lines): void => {
    const id = stream(lines[0].school);
    const known = commits(lines).flatMap(({ service: of, commit }) => (of === service ? commit.streams : []));
    const before = Math.max(0, ...known.filter((each: Line) => each.id === id).map(({ after }: Line) => after));
    lines.push({
      service,
      commit: {
        position: 9_000,
        id: randomUUID(),
        at: '2026-01-05T08:00:00.000Z',
        fingerprint: '',
        meta: { actor: 'system' },
        streams: [{ id, before, after: before + 1 }],
        events: [{ stream: id, type, schema: 1, data }],
        ...more,
      },
    });
  };

const place = (changes: object) => (lines: Lines) => void Object.assign(lines[0].place, changes);
const header = (changes: object) => (lines: Lines) => void Object.assign(lines[0], changes);
const school = (id: string) => id;
const named = (name: string) => () => name;
const course = `course_${uuid}`;
const jwk = { kty: 'nonsense' };
const domain = { domain: 'learn.victim.example', proof: 'p' };
const inCommit =
  (change: (commit: Line, lines: Lines) => void, type = 'CourseCreated') =>
  (lines: Lines) =>
    change(commitWith(lines, type), lines);

/** What an attacker may send, as changes of an honest export; each must be refused. */
export const hostile: Readonly<Record<string, (lines: Lines, victim: { readonly base_url: string }) => void>> = {
  'the base URL of another school': (lines, { base_url }) => place({ base_url })(lines),
  'the base URL of another school beside a harmless host': (lines, { base_url }) =>
    place({ base_url, host: 'harmless.example' })(lines),
  'a base URL with a path': place({ base_url: 'https://a.example/x' }),
  'a base URL with a user': place({ base_url: 'https://u:p@a.example' }),
  'a base URL of another scheme': place({ base_url: 'javascript:alert(1)' }),
  'a base URL without TLS': place({ base_url: 'http://a.example' }),
  'a base URL that is no text': place({ base_url: 7 }),
  'the slug of another school': place({ slug: 'north-quay' }),
  'a slug of other letters': place({ slug: 'Ünicode slug' }),
  'a currency that is none': place({ currency: 'XXQ' }),
  'a time zone that is none': place({ timezone: 'Mars/Olympus' }),
  'a locale that is none': place({ locale: 'xx_YY' }),
  'a name that is too long': place({ name: 'x'.repeat(300) }),
  'no name': place({ name: '' }),
  'an unknown field of its place': place({ admin: true }),
  'no place at all': header({ place: null }),
  'a place that is a list': header({ place: [] }),
  'the tenant of the platform': header({ school: '_platform' }),
  'an id that is not a school’s': header({ school: 'catalog' }),
  'an id with a way out': header({ school: 'school_../../etc' }),
  'a departure with line ends': header({ departure: 'a\nb' }),
  'another format': header({ format: 2 }),
  'a time that is none': header({ at: 'yesterday' }),
  'an unknown field of the first line': header({ extra: 1 }),
  'a service that is not here': (lines) => lines[0].services.push({ name: 'billing', lane: 0, head: 0 }),
  'a service twice': (lines) => lines[0].services.push(lines[0].services[0]),
  'signing keys without personal data': header({ signing_keys: true }),
  'a commit of a service that is not named': (lines) => (lines[0].services = []),
  'a key that the first line denies': (lines) =>
    lines.push({ service: 'auth', key: Buffer.alloc(32).toString('base64') }),
  'people’s keys that the first line denies': (lines) =>
    lines.push({ service: 'auth', subjects: [{ subject: 'account_1', wrapped: null }] }),
  'a key of 8 bytes': (lines) => {
    lines[0].personal = true;
    lines.push({ service: 'auth', key: Buffer.alloc(8).toString('base64') });
  },
  'people’s keys without their school’s': (lines) => {
    lines[0].personal = true;
    lines.push({ service: 'auth', subjects: [{ subject: 'account_1', wrapped: 'AAAA' }] });
  },
  'an event from a newer version': adds('catalog', named(course), 'FromANewerVersion', {}),
  'an event type of an object’s own': adds('catalog', named(course), 'constructor', {}),
  'a stream that no aggregate has': adds('school', (id) => `${id}-x`, 'FromANewerVersion', {}),
  'the stream of another school': adds('school', named(`school_${uuid}`), 'SchoolMoved', {}),
  'an entry of the directory': adds('school', named(`entry_${uuid}`), 'SchoolRehosted', {
    host: 'a',
    base_url: 'https://a',
  }),
  'the holder of a domain': adds('school', named('domain_learn.victim.example'), 'DomainTaken', {
    ...domain,
    school: 's',
  }),
  'a domain that it proved by itself': adds('school', named('domains'), 'DomainVerified', domain),
  'an arrival': adds('school', named('arrival'), 'SchoolArrived', {}),
  'a letter on its way': adds('auth', named('delivered-x'), 'Delivered', {}),
  'a process of ours': adds('auth', named('process-delivery-x'), 'DeliveryPostponed', {}),
  'signing keys that stay': adds('auth', named('keys'), 'SigningKeyPublished', {
    kid: 'k',
    alg: 'ES256',
    public_jwk: jwk,
  }),
  'facts that it tells again': adds('school', named('facts'), 'FactsRetold', { positions: [1] }),
  'nothing but a claim': adds('school', named('unique/school-host/victim.example'), 'Claimed', { by: 'entry_1' }),
  'an erasure of somebody else than its stream says': adds('auth', named('subject-account_1'), 'SubjectErased', {
    subject: 'account_2',
  }),
  'an erasure of nobody': adds('auth', named('subject-'), 'SubjectErased', { subject: '' }),
  'a move without an address': adds('school', school, 'SchoolSignUpSet', { sign_up: 'everybody' }),
  'data that is null': adds('school', school, 'SchoolSignUpSet', null),
  'data that is a list': adds('catalog', named(course), 'CourseCreated', []),
  'a name with NUL': adds('catalog', named('course_\0'), 'CourseCreated', {}),
  'half a surrogate pair': adds('catalog', named('course_\ud800'), 'CourseCreated', {}),
  'a commit id that is none': adds('school', school, 'SchoolSignUpSet', { sign_up: 'open' }, { id: '../x' }),
  'a time of a commit that is none': adds('school', school, 'SchoolSignUpSet', { sign_up: 'open' }, { at: 'x' }),
  'a trace with line ends': adds(
    'school',
    school,
    'SchoolSignUpSet',
    { sign_up: 'open' },
    {
      meta: { actor: 'system', traceparent: 'a\r\nX-Admin: 1' },
    },
  ),
  'a fingerprint without end': adds(
    'school',
    school,
    'SchoolSignUpSet',
    { sign_up: 'open' },
    { fingerprint: 'x'.repeat(5_000) },
  ),
  'a commit twice': (lines) => lines.push(commits(lines)[0]),
  'commits in another order': (lines) => {
    const all = commits(lines).filter(({ commit }) => commit.streams.some(({ before }: Line) => before > 0));
    const last = lines.splice(lines.indexOf(all[0]), 1)[0];
    lines.splice(1, 0, last);
  },
  'a newer schema': inCommit((commit) => (commit.events[0].schema = 99)),
  'schema 0': inCommit((commit) => (commit.events[0].schema = 0)),
  'a version that does not follow': inCommit((commit) => (commit.streams[0].before = 7)),
  'no streams': inCommit((commit) => (commit.streams = [])),
  'a stream that it does not write': inCommit((commit) => commit.streams.push({ id: course, before: 0, after: 1 })),
  'no events': inCommit((commit) => (commit.events = [])),
  'too many events': inCommit((commit) => (commit.events = Array.from({ length: 1_001 }, () => commit.events[0]))),
  'a field of another type': inCommit((commit) => (commit.events[0].data.slug = { $ne: 1 })),
  'what is encrypted, without personal data': inCommit((commit) => (commit.events[0].data.$personal = [])),
  'another thing encrypted': inCommit((commit, lines) => {
    lines[0].personal = true;
    commit.events[0].data.$personal = [[['slug'], 'account_1', 'AAAA']];
  }),
  'what is encrypted as text': inCommit((commit, lines) => {
    lines[0].personal = true;
    commit.events[0].data.$personal = 'x';
  }),
  'a slug that two courses have': (lines) => {
    const { commit } = structuredClone(
      commits(lines).find((line) => line.commit === commitWith(lines, 'CourseCreated')),
    );
    const own = commit.events.find(({ type }: Line) => type === 'CourseCreated').stream as string;
    const other = JSON.parse(JSON.stringify(commit).replaceAll(own, `course_${uuid}`));
    lines.push({ service: 'catalog', commit: { ...other, id: randomUUID() } });
  },
  'a line that is too long': (lines) => lines.push(`{"service":"${'x'.repeat(9_000_000)}"}`),
  'nesting without end': (lines) => lines.push(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'a line that is null': (lines) => lines.push(null),
  'a line that is no JSON': (lines) => lines.push('{"service":'),
  'a line of another kind': (lines) => lines.push({ service: 'auth', secret: 1 }),
};

const junk: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  0,
  1,
  1e308,
  true,
  [],
  {},
  '\0',
  '\ud800',
  '__proto__',
  '2099-01-01T00:00:00.000Z',
  '1000-01-01T00:00:00.000Z',
  'https://northquay.localhost',
  '../..',
  'x'.repeat(2_000),
];

/** Changes one place of one line, or the order of lines. `random` gives numbers from 0 to 1. */
export function mutate(lines: readonly Line[], random: () => number): Line[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const all = structuredClone(lines) as Line[];
  const at = Math.floor(random() * all.length);
  const how = random();
  if (how < 0.04) all.splice(at, 1);
  else if (how < 0.08) all.splice(Math.floor(random() * all.length), 0, structuredClone(all[at]));
  else if (how < 0.12) all.splice(Math.floor(random() * all.length), 0, all.splice(at, 1)[0]);
  else {
    const places: [Line, string | number][] = [];
    const visit = (value: Line): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
        places.push([value, key]);
        visit(value[key]);
      }
    };
    visit(all[at]);
    const [holder, key] = pick(places);
    if (how < 0.3) delete holder[key];
    else if (how < 0.4 && typeof holder === 'object') holder[`${String(key)}_`] = holder[key];
    else if (how < 0.55) holder[key] = structuredClone(pick(places)[0]);
    else holder[key] = pick(junk);
  }
  return all;
}
