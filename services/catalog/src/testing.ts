import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { type EventLog, Vault, claimStream, execute, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { systemIds, uuidv5 } from '@lyceum/kernel';
import { trustState } from '@lyceum/oauth';
import { FakeClock } from '@lyceum/testkit';
import { testSchool, type TestSchool, type TokenClaims } from '@lyceum/oauth/testing';
import { type Operation, silentLogger } from '@lyceum/web';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newLesson } from './curriculum/curriculum.input.ts';
import { type CurriculumCommand, curriculumDecider, curriculumStream } from './curriculum/curriculum.ts';
import { lecturerMember } from './lecturers/lecturer.ts';
import { catalog, catalogSlices } from './module.ts';

/** All operations of the catalogue. */
export const catalogOperations = catalogSlices.flatMap(({ operations }) => operations as readonly Operation[]);

/** What a test sends beside method and path. */
export interface Sent {
  readonly as?: TokenClaims | 'anonymous';
  readonly school?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. `body` is the parsed JSON, or undefined when there was none. */
export interface Got {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the body by asserting it
  readonly body: any;
}

/** The catalog as one process runs it, over memory, behind a real socket. */
export interface Catalog {
  readonly clock: FakeClock;
  readonly channel: Channel;
  /** By default as the owner of school_1, with every scope. */
  call(method: string, path: string, sent?: Sent): Promise<Got>;
  /** Creates a course, with a published lesson in it, and gives the body of its creation. */
  create(body: object, sent?: Sent): Promise<Got['body']>;
  /** Subjects whose keys were destroyed, in order. */
  readonly forgotten: readonly string[];
  /** Tells the catalog that a person of school_1 is erased. */
  erased(subject: string): Promise<void>;
  /** Waits until lists have everything that was written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The lecturers of both schools: by number, and those of the accounts that tests sign in with. */
const lecturers: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`lecturer_${index}`, undefined])),
  ...Object.fromEntries(['lecturer', 'lists', 'pager'].map((name) => [`lecturer_${name}`, `acc_${name}`])),
};

/** Writes the lecturers of a school, each with a link where there is an account. */
async function addLecturers(log: EventLog, tenant: string): Promise<void> {
  const said = { title: '', bio: '', avatar: '', links: [], contact_email: '', position: 0, by: 'system' };
  const events = Object.entries(lecturers).flatMap(([stream, member_id]) => {
    const slug = stream.replace('_', '-');
    const added = { stream, type: 'LecturerAdded', schema: 1, data: { slug, display_name: stream, ...said } };
    if (member_id === undefined) return [added];
    const claim = { stream: claimStream(lecturerMember, member_id), type: 'Claimed', schema: 1, data: { by: stream } };
    return [added, { stream, type: 'LecturerLinked', schema: 1, data: { member_id } }, claim];
  });
  const commitId = uuidv5('test lecturers', tenant);
  const at = '2026-01-01T00:00:00.000Z';
  await log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta: { actor: 'system' } });
}

/** Gives a course a section with one published lesson. */
async function addLesson(log: EventLog, tenant: string, course: string): Promise<void> {
  const fields = newLesson({ section_id: 'section_1', title: 'A lesson', type: 'text' });
  const meta = { actor: 'system' };
  const request = { tenant, stream: curriculumStream(course), at: '2026-01-01T00:00:00.000Z', meta };
  const release = { type: 'immediate' } as const;
  const commands: readonly CurriculumCommand[] = [
    { type: 'AddSection', id: 'section_1', title: 'A section', release },
    { type: 'AddLesson', id: 'lesson_1', section_id: 'section_1', fields },
    { type: 'PublishLesson', id: 'lesson_1' },
  ];
  for (const command of commands)
    await execute(log, curriculumDecider, {
      ...request,
      command,
      commitId: uuidv5('test', command.type, tenant, course),
    });
}

const currencies: Readonly<Record<string, string>> = { school_1: 'USD', school_2: 'JPY' };

/** Starts the catalog with two schools: school_1 (USD) and school_2 (JPY). */
export async function startCatalog(): Promise<Catalog> {
  const clock = new FakeClock();
  const trust = trustState(clock);
  const schools = new Map<string, TestSchool>();
  for (const id of Object.keys(currencies)) schools.set(id, await testSchool({ clock, id, trust }));
  const channel = memoryChannel();
  channel.offer('school', 1, async (lane, after) => provisioned(lane).filter(({ position }) => position > after));

  const log = memoryEventLog();
  for (const tenant of Object.keys(currencies)) await addLecturers(log, tenant);
  const rootKey = Buffer.alloc(32, 7);
  const ports = { log, documents: memoryDocuments(), ephemeral: memoryEphemeral(clock), clock, ids: systemIds(clock) };
  const vault = new Vault(memoryKeyStore(), [rootKey]);
  const forgotten: string[] = [];
  const started = await catalog.start({
    ...ports,
    vault,
    async erase(school, subject) {
      forgotten.push(subject);
      await vault.destroy(school, subject);
    },
    rootKeys: [rootKey],
    channel,
    mail: { send: () => Promise.reject(new Error('the catalog sends no mail')), close: () => Promise.resolve() },
    trust,
    logger: silentLogger as never,
    cursorSecret: 'cursor secret of a test',
    settings: {} as never,
    upstream: () => {
      throw new Error('the catalog asks no sibling');
    },
  });
  await started.ready?.();
  const server = createServer(started.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call: Catalog['call'] = async (method, path, { as = {}, school = 'school_1', body, headers = {} } = {}) => {
    const token = as === 'anonymous' ? undefined : await schools.get(school)!.token(as);
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-school-id': school,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };

  return {
    clock,
    channel,
    call,
    async create(body, sent) {
      const got = await call('POST', '/api/courses', { ...sent, body });
      if (got.status !== 201) throw new Error(`not created: ${got.status} ${JSON.stringify(got.body)}`);
      await addLesson(log, sent?.school ?? 'school_1', got.body.id);
      return { ...got.body, lesson_count: 1 };
    },
    forgotten,
    erased: async (subject) => started.erased?.('school_1', subject),
    settled: async () => void (await started.ready?.()),
    async close() {
      server.close();
      server.closeAllConnections();
      await started.close();
      await channel.close();
    },
  };
}

const provisioned = (lane: number) =>
  Object.entries(currencies).map(([tenant, currency], index) => ({
    source: 'school',
    lane,
    position: index + 1,
    previous: index,
    tenant,
    at: '2026-01-01T00:00:00.000Z',
    facts: [
      {
        id: `fact_${tenant}`,
        type: 'SchoolProvisioned',
        schema: 1,
        subject: tenant,
        version: 1,
        data: { slug: tenant, name: tenant, host: tenant, base_url: '', currency, locale: 'en', timezone: 'UTC' },
      },
    ],
  }));
