import { type Trust, challenge } from '@lyceum/oauth';
import type { Principal } from '@lyceum/oauth';
import { type Call, Problem, type Reply, operation } from '@lyceum/web';
import { z } from 'zod';
import type { ChangeFeed, FeedPage, Wanted } from './change.feed.ts';
import type { ChangeCursors, FeedPosition } from './change.cursor.ts';
import { pageWithin } from './change.poll.ts';
import { changeTypes, scopeOfType, viewOf } from './change.rules.ts';
import { change } from './change.schema.ts';
import { type Patience, changeStream } from './change.stream.ts';
import type { ChangeSignal } from './change-signal.ts';
import type { OpenStreams } from '../limits/open-streams.ts';
import { currentPrincipal } from './current-principal.ts';

/** What the operation works with. */
export interface ChangePorts {
  readonly feed: ChangeFeed;
  readonly signal: ChangeSignal;
  readonly codec: ChangeCursors;
  readonly streams: OpenStreams;
  readonly trust: Trust;
  readonly patience: Patience;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const query = z.strictObject({
  after: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: 'Where to go on: a `next_cursor`, or `now`. Left out: from the oldest change that is kept' }),
  types: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: `Only these types, separated by commas. There are: ${changeTypes.join(', ')}` }),
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ description: 'Largest number of changes' }),
});

type Asked = z.output<typeof query>;

const reply = z.object({
  object: z.literal('list'),
  data: z.array(change),
  has_more: z.boolean(),
  next_cursor: z.string().meta({ description: 'Where to go on, also when there is nothing more now' }),
  view: z.enum(['anonymous', 'member', 'staff']).meta({ description: 'Whose changes these are' }),
});

/** `GET /api/changes`: what has happened in the school, as a list or as a stream of server-sent events. */
export const readChanges = (ports: ChangePorts) =>
  operation({
    id: 'readChanges',
    method: 'GET',
    path: '/api/changes',
    area: 'changes',
    summary: 'What has changed in the school',
    description:
      'At least once, in order for each subject, for 30 days. A token reads what its `<area>:read` scopes and the role allow; ' +
      'without a token it is what is public. With `Accept: text/event-stream` the answer goes on as changes happen: ' +
      'each is an event whose name is its type, whose `data` is the change as JSON in one line, and whose `id` is the cursor ' +
      'after it, which `Last-Event-ID` goes on from. Comments break a silence. An event `error` with the body of an error ' +
      'ends it; else it ends after about an hour, to be opened again. With `Prefer: wait=20` an answer that would hold no change waits for one, at most 30 s. 410 `gone`: take a cursor with `after=now`, read the lists again, go on with the cursor.',
    anonymous: true,
    query,
    status: 200,
    reply,
    streams: 'text/event-stream',
    errors: ['gone', 'insufficient_scope', 'rate_limited'],
    handle: async (call) => {
      const wanted = wantedBy(call, ports.trust);
      const from = call.streaming?.lastEventId ?? call.query.after;
      const start = await startOf(ports, call.school, from);
      return call.streaming ? stream(ports, call, call.streaming, start, wanted) : list(ports, call, start, wanted);
    },
  });

const startOf = async (
  { feed, codec }: ChangePorts,
  school: string,
  after: string | undefined,
): Promise<FeedPosition> => {
  if (after === 'now') return feed.now(school);
  return feed.oldest(school, after === undefined ? {} : codec.open(school, after));
};

async function list(ports: ChangePorts, call: Called, start: FeedPosition, wanted: Wanted): Promise<Reply> {
  const wait = call.waiting?.wait ?? 0;
  const { steps, position, more } = wait === 0 ? await ports.feed.read(start, wanted) : await poll();
  const data = steps.map((step) => step.change);
  return {
    body: {
      object: 'list',
      data,
      has_more: more,
      next_cursor: ports.codec.seal(wanted.school, position),
      view: viewOf(wanted.reader),
    },
    ...(wait === 0 ? {} : { headers: { 'Preference-Applied': `wait=${wait / 1000}` } }),
  };

  async function poll(): Promise<FeedPage> {
    const { over, leave } = enter(ports, call, call.waiting!);
    try {
      return await pageWithin(wait, start, wanted, {
        ...ports,
        gone: over,
        currentReader: currentReaderOf(ports, call),
      });
    } finally {
      leave();
    }
  }
}

async function stream(
  ports: ChangePorts,
  call: Called,
  streaming: NonNullable<Call['streaming']>,
  start: FeedPosition,
  wanted: Wanted,
): Promise<Reply> {
  const { feed, signal, codec, patience } = ports;
  const { over, leave } = enter(ports, call, streaming);
  try {
    // What is refused at once is answered with its status.
    await feed.read(start, { ...wanted, limit: 1 });
  } catch (error) {
    leave();
    throw error;
  }
  if (over.aborted) leave();
  else over.addEventListener('abort', leave, { once: true });
  const { requestId } = call;
  const options = { feed, signal, codec, patience, gone: over, requestId, currentReader: currentReaderOf(ports, call) };
  return { pieces: changeStream(start, wanted, options) };
}

type Called = Pick<Call, 'principal' | 'requestId' | 'school' | 'waiting'>;

/** Takes a place among those who listen. `over`: the listener is gone, or the process stops. */
function enter(
  { streams, stopping }: ChangePorts,
  { principal, school }: Called,
  { address, gone }: { readonly address: string; readonly gone: AbortSignal },
): { readonly over: AbortSignal; readonly leave: () => void } {
  const leave = streams.enter(school, { principal, address });
  return { over: AbortSignal.any([gone, stopping]), leave };
}

/** The reader as of now, each time it is asked. */
const currentReaderOf =
  ({ trust, now }: ChangePorts, { principal }: Called) =>
  (): Principal | undefined | 'over' =>
    principal && (currentPrincipal(principal, trust, now()) ?? 'over');

/** What the caller asks for. A type that the token's scopes do not open is refused, not left out in silence. */
function wantedBy({ school, principal, query: { types, limit } }: CallOf, trust: Trust): Wanted {
  const named = types?.split(',').map((each) => each.trim());
  const needed = named?.map((type) => {
    const scope = scopeOfType(type);
    if (scope === undefined) throw new Problem('invalid_request', `There is no type ${type.slice(0, 40)}`);
    return scope;
  });
  const lacking = principal && needed?.find((scope) => !principal.scopes.has(scope));
  if (lacking) throw lacksScope(lacking, trust.school(school)?.issuer ?? '');
  return { school, reader: principal, types: named && new Set(named), limit };
}

interface CallOf {
  readonly school: string;
  readonly principal: Principal | undefined;
  readonly query: Asked;
}

function lacksScope(scope: NonNullable<ReturnType<typeof scopeOfType>>, issuer: string): Problem {
  const description = `These changes need the scope ${scope}`;
  const value = challenge({ issuer, error: 'insufficient_scope', description, scopes: [scope] });
  return new Problem('insufficient_scope', description, { headers: { 'WWW-Authenticate': value } });
}
