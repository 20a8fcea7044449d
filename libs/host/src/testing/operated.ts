import { freePort, until } from '@lyceum/testkit';
import type { EventLog, NewEvent } from '@lyceum/eventlog';
import { type DomainEvent, ofStream, personal } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Running, boot } from '../boot/boot.ts';
import {
  type AnyModule,
  type ModulePorts,
  NeedsOperator,
  type ProcessManager,
  aggregate,
  domainModule,
  followFacts,
  streamsOf,
} from '@lyceum/service';
import { readEnvironment } from '../settings/environment.ts';
import { createLogger } from '../logger.ts';
import { shutDown } from '../boot/shutdown.ts';

const logger = createLogger('silent');

/** Whether the read model of the process under test takes the events called `Poison`, and its process manager can work. */
export const taste = { poison: false, work: false };

const published = { slug: 'paper', title: 'Paper', access: 'free', listed: true };

/** Answers `ReviewAsked` by one `Reviewed`, when it can work. */
const review: ProcessManager<null, DomainEvent, string, ModulePorts> = {
  name: 'review',
  events: {},
  initial: null,
  evolve: () => null,
  correlate: ({ type, stream }) => (type === 'ReviewAsked' ? stream : undefined),
  react: (input) => (input.kind === 'event' ? { commands: [input.event.stream] } : {}),
  async carryOut(stream, { tenant, commitId, at, meta }, { log }) {
    if (!taste.work) throw new NeedsOperator('no reviewer');
    const events = [{ stream, type: 'Reviewed', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};

/** What the school of the process under test can hold. */
const titleEvents = {
  CoursePublished: { version: 1, data: z.object({ slug: z.string(), title: z.string() }) },
  Titled: { version: 1, data: z.object({ title: z.string() }) },
  Renamed: { version: 2, data: z.object({ title: z.string() }), upcasters: [(data: unknown) => data] },
};

const any = { version: 1, data: z.unknown() };

/** What else the tests write; a follower stands before what its service does not declare. */
const otherEvents = { CourseRenamed: any, Poison: any, ReviewAsked: any, Reviewed: any };

const courseTitles = {
  events: titleEvents,
  initial: undefined,
  evolve: () => undefined,
  claims: ({ type, data }: { readonly type: string; readonly data: unknown }) =>
    type === 'Titled' ? [{ kind: 'title', value: (data as { title: string }).title, rejected: 'title_taken' }] : [],
};

const people = {
  OwnerNamed: { version: 1, data: z.object({ name: personal(z.string(), ofStream), nick: z.string().optional() }) },
};

const titles = domainModule({
  name: 'catalog',
  routes: ['/api/courses'],
  slices: [
    {
      name: 'courses',
      operations: [],
      events: { ...titleEvents, ...people, ...otherEvents },
      aggregates: [
        aggregate((stream) => stream.startsWith('course_'), courseTitles),
        aggregate(streamsOf('account_'), { events: people, initial: undefined, evolve: () => undefined }),
      ],
      toFact: ({ type, stream, data }) =>
        type === 'CoursePublished' ? { type, data: { course_id: stream, ...(data as typeof published) } } : undefined,
      processes: [{ manager: review }],
      projections: [
        {
          collection: { name: 'titles', version: 3, fields: {} },
          key: ({ stream }) => stream,
          project({ type }, before) {
            if (type === 'Poison' && !taste.poison) throw new Error('cannot take poison');
            return { types: [...((before?.['types'] as string[] | undefined) ?? []), type] };
          },
        },
      ],
    },
  ],
});

/** A catalogue in a process of its own making, and what its operator sees. */
export interface Operated {
  readonly ports: ModulePorts;
  readonly folder: string;
  /** Appends one event to a stream of a school. */
  write(school: string, stream: string, type?: string, data?: unknown): Promise<void>;
  /** Asks with a JSON body, or with lines of JSON when it is a text. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string; body: Answer }>;
  /** Asks until the answer is as wanted. Throws when it never is. */
  until(path: string, wanted: (body: Answer) => boolean): Promise<Answer>;
  stop(): Promise<void>;
}

/** A parsed answer; a test says what it expects of it by asserting it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;

/** Starts it on a data folder; on a new one when none is given. */
export async function operate(given: { folder?: string; env?: Record<string, string> } = {}): Promise<Operated> {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'lyceum-operate-')));
  const [PORT, OPERATOR_PORT] = [String(await freePort()), String(await freePort())];
  const OPERATOR_TOKEN = 'operator-token-of-this-test-only';
  const env = { PORT, OPERATOR_PORT, OPERATOR_TOKEN, DATA_DIR: folder, ...given.env };
  let ports!: ModulePorts;
  const module: AnyModule = {
    ...titles,
    consumes: [],
    async start(started) {
      ports = started as unknown as ModulePorts;
      const service = await titles.start(started as never);
      const listening = followFacts(ports, 'catalog', 'listener', () => undefined);
      return {
        app: service.app,
        ...(service.arrivable ? { arrivable: service.arrivable } : {}),
        get readModels() {
          return service.readModels ?? [];
        },
        get processes() {
          return service.processes ?? [];
        },
        ready: async () => {
          await service.ready?.();
          await listening.caughtUp();
        },
        close: async () => {
          await listening.close();
          await service.close();
        },
      };
    },
  };
  const running: Running = await boot([module], readEnvironment([], env).settings, logger);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${OPERATOR_PORT}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: jsonOf(text) };
  };
  return {
    ports,
    folder,
    ask,
    write: (school, stream, type = 'CoursePublished', data = published) =>
      append(ports.log, school, { stream, type, schema: 1, data }),
    async until(path, wanted) {
      let body: Answer;
      const what = () => `another ${path} than ${JSON.stringify(body)}`;
      await until(async () => wanted((body = (await ask('GET', path)).body)), what);
      return body;
    },
    stop: async () => void (await shutDown(running, 0, logger)),
  };
}

async function append(log: EventLog, tenant: string, event: NewEvent): Promise<void> {
  await log.append({
    tenant,
    expectations: [],
    events: [event],
    commitId: randomUUID(),
    fingerprint: 'asked',
    at: '2026-01-05T08:00:00.000Z',
    meta: { actor: 'test' },
  });
}

/** Removes a data folder. */
export const clear = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** The one JSON value that a text is; undefined when it is something else. */
function jsonOf(text: string): Answer {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
