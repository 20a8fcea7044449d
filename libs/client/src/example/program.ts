import { parseArgs } from 'node:util';
import { fileStore, login, logout, storedTokens } from '../cli/index.ts';
import { SchoolError, type TokenSource, followChanges, openSchool, pages } from '../index.ts';

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

const usage = `lyceum-school <command> --school <address>

  login     log in with the browser
  logout    give the tokens back
  courses   list the courses that you may see
  changes   tell what changes, as it happens (--after <cursor>: from there; --all: from the oldest)`;

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
      options: { school: { type: 'string' }, after: { type: 'string', default: 'now' }, all: { type: 'boolean' } },
    });
    const command = Object.hasOwn(commands, positionals[0] ?? '') ? commands[positionals[0]!] : undefined;
    if (!command || positionals.length > 1 || values.school === undefined || !URL.canParse(values.school)) {
      world.note(usage);
      return 2;
    }
    const after = values.all === true ? undefined : values.after;
    await command({ school: values.school, after }, world);
    return 0;
  } catch (error) {
    world.note(messageOf(error));
    return 1;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof SchoolError || error instanceof Error ? error.message : String(error);
