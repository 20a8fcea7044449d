import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { chooseModules, readArguments, together } from '../command-line/arguments.ts';
import { printedSettings, problemLines, readEnvironment } from './environment.ts';
import { type AnyModule, type Module, StartRefused } from '@lyceum/service';
import { peersOf } from './peers.ts';

const module = (name: string, consumes: Module['consumes'] = [], settings?: z.ZodType): AnyModule => ({
  name,
  routes: [],
  consumes,
  ...(settings ? { settings: settings as never } : {}),
  start: () => Promise.reject(new Error('not started in this test')),
});

const vault = module(
  'vault',
  [],
  z.object({ VAULT_KEY: z.string('a key').meta({ secret: true }), VAULT_SIZE: z.coerce.number().default(3) }),
);

describe('settings', () => {
  test('an empty environment gives the embedded defaults', () => {
    const { settings, problems } = readEnvironment([], {});
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      BASE_URL: 'http://127.0.0.1:8080',
      NODE_ENV: 'development',
      RATE_LIMIT_FACTOR: 20,
      OPERATOR_PORT: 8081,
    });
  });

  test('the base URL follows the port, and production does not loosen rate limits', () => {
    const { settings } = readEnvironment([], { PORT: '9000', OPERATOR_PORT: '9001', NODE_ENV: 'production' });
    expect(settings.BASE_URL).toBe('http://127.0.0.1:9000');
    expect(settings.RATE_LIMIT_FACTOR).toBe(1);
  });

  test('every problem is reported at once, with what was found and what would do', () => {
    const read = readEnvironment([vault], {
      PORT: '80a',
      BASE_URL: 'http://school.example',
      LOG_LEVEL: 'loud',
      OPERATOR_TOKEN: 'short',
      KAFKA_BROKERS: 'kafka',
      KAFKA_SASL_USERNAME: 'lyceum',
      VAULT_SIZE: 'big',
    });
    expect(read.problems.map((problem) => problem.variable).sort()).toEqual([
      'BASE_URL',
      'KAFKA_BROKERS',
      'KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_PASSWORD',
      'LOG_LEVEL',
      'OPERATOR_TOKEN',
      'PORT',
      'SERVICE_TOKEN',
      'VAULT_KEY',
      'VAULT_SIZE',
    ]);
    const text = problemLines(read).join('\n');
    expect(text).toContain('PORT="80a": expected a port number from 1 to 65535');
    expect(text).toContain('https for a host other than loopback: https://school.example');
    expect(text).toContain('VAULT_KEY (not set): expected a key');
    expect(text).toContain('KAFKA_BROKERS="kafka": expected host:port');
    expect(text).toContain('KAFKA_SASL_PASSWORD (not set): expected a value, because KAFKA_SASL_USERNAME is set');
    expect(text).not.toContain('short"');
  });

  test('newcomer 22: what would do is told in plain words, also where a setting has none of its own', () => {
    const odd = z.object({ A: z.coerce.number(), B: z.enum(['x', 'y']), C: z.coerce.number().min(3), D: z.string() });
    const SERVICE_TOKEN = 'x'.repeat(32);
    const lines = problemLines(readEnvironment([module('odd', [], odd)], { A: 'many', B: 'z', C: '1', SERVICE_TOKEN }));
    expect(lines).toEqual([
      '  A="many": expected a number',
      '  B="z": expected one of x, y',
      '  C="1": expected at least 3',
      '  D (not set): expected a value',
    ]);
  });

  test('newcomer 22: the address of a service that runs here is not used, which a hint says', () => {
    const [edge, auth] = [{ ...module('gateway'), forwards: ['auth'] }, module('auth')];
    const hints = (AUTH_URL: string, modules: AnyModule[]) => readEnvironment(modules, { AUTH_URL }).hints;
    expect(hints('foo', [edge, auth])).toEqual([expect.stringMatching(/^AUTH_URL is not used here.*no origin like/)]);
    expect(hints('http://10.0.0.7:8080', [edge, auth])).toEqual([expect.stringMatching(/^AUTH_URL is not used here/)]);
    expect(hints('http://10.0.0.7:8080', [auth])).toEqual([]);
    expect(hints('foo', [auth])).toHaveLength(1);
    expect(hints('http://10.0.0.7:8080', [edge])).toEqual([]);
  });

  test('S17: backups stay beside the data folder, unless BACKUP_DIR names another one', () => {
    const read = (env: Record<string, string>) => readEnvironment([], { DATA_DIR: '/var/lib/lyceum/', ...env });
    expect(read({}).settings.BACKUP_DIR).toBe('/var/lib/lyceum-backups');
    expect(read({ BACKUP_DIR: '/safe' }).settings.BACKUP_DIR).toBe('/safe');
  });

  test('HISTORY_TOKENS names readers, each with a token of its own, and is never shown', () => {
    const [one, other] = ['planted-token-of-the-warehouse-team', 'planted-token-of-the=newsletter-team'];
    const { settings, problems } = readEnvironment([], { HISTORY_TOKENS: `warehouse=${one}, news-letter=${other}` });
    expect(problems).toEqual([]);
    expect(settings.HISTORY_TOKENS).toEqual([
      { name: 'warehouse', token: one },
      { name: 'news-letter', token: other },
    ]);
    expect(printedSettings([], settings).join()).toContain('HISTORY_TOKENS=(hidden)');
    expect(printedSettings([], settings).join()).not.toContain('planted');
  });

  test.each([
    ['a token without a name', 'x'.repeat(32)],
    ['a name that is none', `Ware House=${'x'.repeat(32)}`],
    ['a short token', `warehouse=${'x'.repeat(31)}`],
    ['a token with spaces', `warehouse=${'x '.repeat(32)}`],
    ['a name twice', `a=${'x'.repeat(32)},a=${'y'.repeat(32)}`],
    ['a token twice', `a=${'x'.repeat(32)},b=${'x'.repeat(32)}`],
    ['an empty entry', `a=${'x'.repeat(32)},`],
  ])('HISTORY_TOKENS: %s is refused, and not told', (_, HISTORY_TOKENS) => {
    const lines = problemLines(readEnvironment([], { HISTORY_TOKENS })).join();
    expect(lines).toContain('HISTORY_TOKENS="(hidden)": expected name=token');
    expect(lines).not.toContain('xxx');
  });

  test.each(['OPERATOR_TOKEN', 'SERVICE_TOKEN'])('HISTORY_TOKENS: a token that is %s, too, is refused', (name) => {
    const token = 'a'.repeat(32);
    const { problems } = readEnvironment([], { HISTORY_TOKENS: `warehouse=${token}`, [name]: token });
    expect(problems).toMatchObject([{ variable: 'HISTORY_TOKENS', expected: expect.stringContaining(name) }]);
  });

  test.each(['OPERATOR_TOKEN', 'SERVICE_TOKEN'])(
    'S17: %s should have 32 characters; from 16 on, as the release before took it, it is warned of',
    (name) => {
      const told = (length: number) => {
        const { problems, hints } = readEnvironment([], { [name]: 'x'.repeat(length) });
        return [problems.length, hints];
      };
      expect(told(15)).toEqual([1, [expect.stringContaining('fewer than 32 characters')]]);
      expect(told(31)).toEqual([0, [expect.stringContaining('fewer than 32 characters')]]);
      expect(told(32)).toEqual([0, []]);
    },
  );

  test.each([
    ['school.example', 'an absolute URL'],
    ['ftp://school.example', 'begins with https://'],
    ['https://school.example/', 'the origin alone'],
    ['https://school.example/a?b=c', 'the origin alone'],
    ['https://u:p@school.example', 'without user name'],
    ['http://192.168.1.4:8080', 'https for a host other than loopback'],
  ])('BASE_URL=%s is refused: %s', (value, expected) => {
    expect(problemLines(readEnvironment([], { BASE_URL: value })).join()).toContain(expected);
  });

  test.each([
    'https://school.example',
    'http://localhost:3000',
    'http://northquay.localhost:8080',
    'http://[::1]:8080',
  ])('BASE_URL=%s is accepted', (value) => expect(readEnvironment([], { BASE_URL: value }).problems).toEqual([]));

  test('proxies are trusted by address or block; anything else is refused', () => {
    const read = (TRUSTED_PROXIES: string) => readEnvironment([], { TRUSTED_PROXIES });
    expect(read('').settings.TRUSTED_PROXIES).toEqual([]);
    expect(read(' 10.0.0.0/8, 192.0.2.7,fd00::/8 ').settings.TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      'fd00::/8',
    ]);
    for (const wrong of ['10.0.0.0/33', '10.0.0/8', 'proxy.example', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/-1', '/8'])
      expect(read(wrong).problems.map(({ variable }) => variable)).toEqual(['TRUSTED_PROXIES']);
  });

  test('a variable that looks like a misspelt setting is hinted at, an unrelated one is not', () => {
    const { hints } = readEnvironment([], {
      BASEURL: 'x',
      data_dir: 'x',
      OPERATOR_PROT: 'x',
      DATA_DIRR: 'x',
      HOSTNAME: 'x',
      PATH: 'x',
    });
    expect(hints).toEqual([
      'BASEURL is not a setting; did you mean BASE_URL?',
      'data_dir is not a setting; did you mean DATA_DIR?',
      'DATA_DIRR is not a setting; did you mean DATA_DIR?',
    ]);
  });

  test('a demo password is refused in production and on a host that others reach', () => {
    const production = readEnvironment([], { DEMO_PASSWORD: 'long enough', NODE_ENV: 'production' });
    expect(problemLines(production).join()).toContain(
      'DEMO_PASSWORD="(hidden)": expected to be unset when NODE_ENV is production',
    );
    expect(readEnvironment([], { DEMO_PASSWORD: 'long enough', HOST: '0.0.0.0' }).problems).toHaveLength(1);
    const published = { DEMO_PASSWORD: 'long enough', BASE_URL: 'https://school.example' };
    expect(problemLines(readEnvironment([], published)).join()).toContain('BASE_URL is not on this machine');
    expect(readEnvironment([], { DEMO_PASSWORD: 'long enough' }).problems).toEqual([]);
  });

  test('a mode that is none of the three is refused, so that nobody takes a demo for production', () => {
    expect(problemLines(readEnvironment([], { NODE_ENV: 'prod' }))).toEqual([
      '  NODE_ENV="prod": expected one of development, test, production',
    ]);
  });

  test('one port for both listeners is refused', () => {
    expect(readEnvironment([], { PORT: '8081' }).problems.map((problem) => problem.variable)).toEqual([
      'OPERATOR_PORT',
    ]);
  });

  test('printed settings show values and hide secrets', () => {
    const { settings } = readEnvironment([vault], {
      VAULT_KEY: 'planted-secret',
      OPERATOR_TOKEN: 'planted-secret-token-of-this-test',
    });
    const text = printedSettings([vault], settings).join('\n');
    expect(text).toContain('PORT=8080');
    expect(text).toContain('VAULT_KEY=(hidden)');
    expect(text).not.toContain('planted');
  });
});

describe('the command line', () => {
  const all = [
    module('gateway', ['school']),
    module('auth', ['school']),
    module('school', ['auth']),
    module('catalog', ['school', 'auth']),
  ];

  test('without options everything runs', () => {
    expect(readArguments([])).toEqual({ command: 'run', only: undefined, role: undefined });
    expect(chooseModules(all, undefined)).toEqual(all);
  });

  test('an unknown option is refused with the usage', () => {
    expect(() => readArguments(['--onyl=auth'])).toThrow(StartRefused);
  });

  test('--only keeps the order of the system, not of the option', () => {
    expect(chooseModules(all, ['school', 'auth']).map((each) => each.name)).toEqual(['auth', 'school']);
  });

  test('--only with an unknown name is refused with the names there are', () => {
    expect(() => chooseModules(all, ['shcool'])).toThrow('unknown modules: shcool');
  });

  test('a module that needs a service outside the process is told what to run together, where that is possible', () => {
    expect(together(all, chooseModules(all, ['catalog'])).join()).toContain('--only=catalog,school,auth');
    expect(together(all, all)).toEqual([]);
    expect(together([all[3]!], [all[3]!])).toEqual([]);
  });
});

describe('a service in a process of its own', () => {
  const catalog = module('catalog', ['school', 'auth']);
  const alone = {
    SCHOOL_URL: 'http://127.0.0.1:9001',
    AUTH_URL: 'http://127.0.0.1:9002,http://127.0.0.1:9003',
    SERVICE_TOKEN: 'planted-service-token-of-this-test',
    KAFKA_BROKERS: '127.0.0.1:9092',
  };

  test('needs to know its neighbours, the brokers and the shared secret', () => {
    const { problems } = readEnvironment([catalog], {});
    expect(problems.map(({ variable }) => variable).sort()).toEqual([
      'AUTH_URL',
      'KAFKA_BROKERS',
      'SCHOOL_URL',
      'SERVICE_TOKEN',
    ]);
  });

  test('knows its neighbours by their variables, several instances of one too, and hides the secret', () => {
    const { settings, problems } = readEnvironment([catalog], alone);
    expect(problems).toEqual([]);
    expect(peersOf([catalog], settings).get('auth')).toEqual({
      name: 'auth',
      urls: ['http://127.0.0.1:9002', 'http://127.0.0.1:9003'],
      token: alone.SERVICE_TOKEN,
    });
    const printed = printedSettings([catalog], settings).join('\n');
    expect(printed).toContain('AUTH_URL=http://127.0.0.1:9002');
    expect(printed).not.toContain('planted');
  });

  test('knows those that it asks where it is told of them, and starts without', () => {
    const asking = { ...catalog, asks: ['media', 'school'] };
    const { settings, problems } = readEnvironment([asking], alone);
    expect([problems, peersOf([asking], settings).get('media')]).toEqual([[], undefined]);
    const told = readEnvironment([asking], { ...alone, MEDIA_URL: 'http://127.0.0.1:9005' });
    expect(peersOf([asking], told.settings).get('media')?.urls).toEqual(['http://127.0.0.1:9005']);
  });

  test.each(['127.0.0.1:9001', 'http://127.0.0.1:9001/', 'http://u:p@127.0.0.1:9001', 'ftp://127.0.0.1'])(
    'SCHOOL_URL=%s is refused',
    (SCHOOL_URL) => {
      const { problems } = readEnvironment([catalog], { ...alone, SCHOOL_URL });
      expect(problems.map(({ variable }) => variable)).toEqual(['SCHOOL_URL']);
    },
  );

  test('a part of its roles needs engines that other processes reach; a relay alone needs no neighbour', () => {
    const roles = (ROLE: string) =>
      readEnvironment([catalog], { SERVICE_TOKEN: alone.SERVICE_TOKEN, ROLE })
        .problems.map(({ variable }) => variable)
        .sort();
    expect(roles('http')).toEqual(['AUTH_URL', 'KAFKA_BROKERS', 'MONGODB_URL', 'REDIS_URL', 'SCHOOL_URL']);
    expect(roles('relay')).toEqual(['KAFKA_BROKERS', 'MONGODB_URL']);
    expect(roles('cook')).toContain('ROLE');
    expect(readEnvironment([], { ROLE: 'relay, http' }).settings.ROLE).toEqual(['http', 'relay']);
  });

  test('the secrets in the addresses of engines are hidden', () => {
    const secrets = { MONGODB_URL: 'mongodb://u:planted@db/', REDIS_URL: 'rediss://:planted@redis:6380' };
    const { settings, problems } = readEnvironment([], secrets);
    expect(problems).toEqual([]);
    expect(printedSettings([], settings).join('\n')).not.toContain('planted');
    const wrong = readEnvironment([], { MONGODB_URL: 'http://planted/', REDIS_URL: 'planted', KAFKA_CA_FILE: '/none' });
    expect(wrong.problems.map(({ variable }) => variable).sort()).toEqual([
      'KAFKA_CA_FILE',
      'MONGODB_URL',
      'REDIS_URL',
    ]);
    expect(problemLines(wrong).join()).not.toContain('planted');
  });
});

describe('ROUTES, the services that a team adds', () => {
  const edge = { ...module('gateway', ['school']), forwards: ['school', 'learning'] };
  const alone = {
    SCHOOL_URL: 'http://127.0.0.1:9001',
    LEARNING_URL: 'http://127.0.0.1:9002',
    SERVICE_TOKEN: 'planted-service-token-of-this-test',
    KAFKA_BROKERS: '127.0.0.1:9092',
    ROUTES: '/api/badges=study-library, /api/diplomas=learning',
  };
  const there = { ...alone, STUDY_LIBRARY_URL: 'http://10.0.0.7:8080,https://10.0.0.8' };

  test('are found by their addresses, are no misspelling, and are shown', () => {
    const { settings, problems, hints } = readEnvironment([edge], there);
    expect([problems, hints]).toEqual([[], []]);
    expect(settings.ROUTES).toEqual(['/api/badges=study-library', '/api/diplomas=learning']);
    expect(peersOf([edge], settings).get('study-library')).toEqual({
      name: 'study-library',
      urls: ['http://10.0.0.7:8080', 'https://10.0.0.8'],
      token: alone.SERVICE_TOKEN,
    });
    const printed = printedSettings([edge], settings).join('\n');
    expect(printed).toContain('ROUTES=/api/badges=study-library,/api/diplomas=learning');
    expect(printed).toContain('STUDY_LIBRARY_URL=http://10.0.0.7:8080,https://10.0.0.8');
  });

  test('an unknown service without an address refuses the start', () => {
    expect(problemLines(readEnvironment([edge], alone))).toEqual([
      '  STUDY_LIBRARY_URL (not set): expected the address of the study-library service, which does not run in this process',
    ]);
  });

  test.each([
    '10.0.0.7:8080',
    'ftp://10.0.0.7',
    'http://10.0.0.7/api',
    'http://u:p@10.0.0.7',
    'http://10.0.0.7:8080\n',
  ])('the address %j refuses the start', (STUDY_LIBRARY_URL) =>
    expect(problemLines(readEnvironment([edge], { ...alone, STUDY_LIBRARY_URL })).join()).toContain(
      'expected an origin like http://10.0.0.7:8080',
    ),
  );

  test('what a route cannot be refuses the start, in its own words', () => {
    const { problems } = readEnvironment([edge], { ...there, ROUTES: '/api/school=study-library' });
    expect(problems).toMatchObject([
      { variable: 'ROUTES', found: '/api/school=study-library', expected: expect.stringContaining('leads to school') },
    ]);
  });

  test.each(['base', 'docs', 'mongodb', 'redis', 'smtp'])(
    'a service %s, whose address would be a setting of its own, refuses the start',
    (service) => {
      const { problems } = readEnvironment([edge], { ...alone, ROUTES: `/api/badges=${service}` });
      const told = problems.find(({ variable }) => variable === 'ROUTES');
      expect(told?.expected).toContain(`${service.toUpperCase()}_URL is a setting of its own`);
    },
  );

  test('a whole process that leads to another one has to be known to it', () => {
    const [school, learning] = [module('school'), module('learning')];
    const { problems } = readEnvironment([edge, school, learning], { ROUTES: alone.ROUTES });
    expect(problems.map(({ variable }) => variable).sort()).toEqual([
      'KAFKA_BROKERS',
      'SERVICE_TOKEN',
      'STUDY_LIBRARY_URL',
    ]);
    expect(readEnvironment([edge, school, learning], { ROUTES: '/api/diplomas=learning' }).problems).toEqual([]);
  });

  test('whoever asks every service asks them, too; nobody else needs to know of them', () => {
    const asking = { ...module('auth', ['school']), asks: ['learning'], asksEvery: true as const };
    expect(readEnvironment([asking], alone).problems.map(({ variable }) => variable)).toEqual(['STUDY_LIBRARY_URL']);
    expect(peersOf([asking], readEnvironment([asking], there).settings).has('study-library')).toBe(true);
    const [catalog] = [module('catalog', ['school'])];
    expect(readEnvironment([catalog], alone).problems).toEqual([]);
    expect(peersOf([catalog], readEnvironment([catalog], there).settings).has('study-library')).toBe(false);
  });
});
