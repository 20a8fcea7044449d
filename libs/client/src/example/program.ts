import { parseArgs } from 'node:util';
import { fileStore, login, logout, storedTokens } from '../cli/index.ts';
import { type TokenSource, followChanges, openSchool, pages } from '../index.ts';

/** What the program does to the world. */
export interface World {
  /** Writes a line for the person, or for the next program. */
  readonly say: (line: string) => void;
  /** Writes a line beside what the next program reads. */
  readonly note: (line: string) => void;
  readonly open: (url: URL) => Promise<void> | void;
  /** Where logins are kept. */
  readonly file: string;
  /** Aborted when the person has had enough. */
  readonly signal: AbortSignal;
}

const usage = `lyceum-school <command> --school <address>, e.g. --school https://lantern.example

  login     log in with the browser
  logout    give the tokens back
  courses   list the courses that you may see
  changes   tell what changes, as it happens (--after <cursor>: from there; --all: from the oldest)
  help      this (--help)

Logins are kept in ~/.config/lyceum-school/logins.json. Exit codes: 0 done, 1 failed, 2 misunderstood.`;

const scope = 'openid profile courses:read school:read account:read';

interface Asked {
  readonly school: string;
  readonly after: string | undefined;
}

type Command = (asked: Asked, world: World) => Promise<void>;

const tokensOf = ({ school }: Asked, { file }: World): TokenSource => storedTokens(school, fileStore(file));

const commands: Readonly<Record<string, Command>> = {
  async login({ school }, { note, say, open, file }) {
    const show = (url: URL) => {
      note(`Opening ${url.origin} in your browser. If nothing happens, open: ${url.href}`);
      return open(url);
    };
    await login({ school, scope, store: fileStore(file), open: show, clientName: 'lyceum-school' });
    say(`Logged in at ${school}`);
  },
  async logout({ school }, { say, file }) {
    await logout(school, fileStore(file));
    say(`Logged out of ${school}`);
  },
  async courses(asked, world) {
    const school = openSchool(asked.school, { token: tokensOf(asked, world) });
    const query = (cursor: string | undefined) => ({ params: { query: cursor === undefined ? {} : { cursor } } });
    for await (const course of pages((cursor) => school.GET('/api/courses', query(cursor))))
      world.say(`${course.slug}\t${course.title}`);
  },
  async changes(asked, world) {
    const { after } = asked;
    // Changes are waited for without end, so whether there is a school at all is asked first.
    await openSchool(asked.school).GET('/api/school');
    const following = { token: tokensOf(asked, world), after, signal: world.signal };
    for await (const { change, cursor } of followChanges(asked.school, following))
      world.say([change.time, change.type, change.subject, cursor].join('\t'));
  },
};

/** Runs one command; resolves to the exit code. */
export async function program(argv: readonly string[], world: World): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        school: { type: 'string' },
        after: { type: 'string', default: 'now' },
        all: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true || positionals[0] === 'help') {
      world.say(usage);
      return 0;
    }
    const fault = faultOf(positionals, values.school);
    if (fault !== undefined) {
      world.note(`${fault}\n\n${usage}`);
      return 2;
    }
    const after = values.all === true ? undefined : values.after;
    await commands[positionals[0]!]!({ school: values.school!, after }, world);
    return 0;
  } catch (error) {
    world.note(messageOf(error));
    return isMisuse(error) ? 2 : 1;
  }
}

/** What was not understood. */
function faultOf([name, ...more]: readonly string[], school: string | undefined): string | undefined {
  if (name === undefined) return 'A command is missing.';
  if (!Object.hasOwn(commands, name)) return `There is no command ${name}.`;
  if (more.length > 0) return `${name} takes no more words: ${more.join(' ')}`;
  if (school === undefined) return 'Say which school: --school <address>.';
  return /^https?:$/.test(protocolOf(school)) ? undefined : `This is no address of a school: ${school}`;
}

const protocolOf = (address: string): string => (URL.canParse(address) ? new URL(address).protocol : '');

/** An option that there is not, or one without its value. */
const isMisuse = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS');

/** What went wrong, in words. `fetch` says nothing but that it failed: its cause knows why. */
function messageOf(error: unknown): string {
  const { name, message, cause } = error as { name?: unknown; message?: unknown; cause?: Failed };
  if (isMisuse(error)) return `${String(message)}\n\n${usage}`;
  if (name === 'TypeError' && cause)
    return `Nothing answers at this address (${String(cause.code ?? cause.message)}). Is it right, and is the school running?`;
  return String(message ?? error);
}

interface Failed {
  readonly code?: unknown;
  readonly message?: unknown;
}
