import { type Command, type Flag, type Given, UsageError, textOf } from '../command.ts';
import { type Json, type OperatorClient, rowsIn } from '../operator-client.ts';
import { schoolFlag, schoolOf } from '../school-of.ts';

const service: Flag = { type: 'string', value: 'name', about: 'One service of the process' };

const rows = async (client: OperatorClient, path: string, name?: string): Promise<readonly Json[]> => {
  const query = name === undefined ? '' : `?service=${encodeURIComponent(name)}`;
  return rowsIn(await client.send('GET', `${path}${query}`));
};

const listing = (
  name: string,
  about: string,
  path: string,
  columns: readonly string[],
  flags = { service },
): Command => ({
  name,
  about,
  flags,
  run: async ({ client, flags: given }) => ({ data: await rows(client, path, textOf(given, 'service')), columns }),
});

/** Redrives one stream, or page after page those that the flags mean: each is tried once. */
async function redriven(client: OperatorClient, id: string, flags: Given): Promise<Json> {
  const [school, projection, error] = ['school', 'projection', 'error'].map((name) => textOf(flags, name));
  const filter = { school, projection, error };
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  if (isFiltered === (id !== ''))
    throw new UsageError('parked redrive needs an id, or --school, --projection, --error');
  if (!isFiltered) return client.send('POST', `/internal/parked/${encodeURIComponent(id)}/redrive`);
  const all = { applied: 0, flowing: 0, parked: 0 };
  for (let after: unknown; after !== null;) {
    const page = await client.send('POST', '/internal/parked/redrive', { ...filter, after }, { patient: true });
    for (const count of ['applied', 'flowing', 'parked'] as const) all[count] += Number(page[count] ?? 0);
    after = page['next'] ?? null;
  }
  return all;
}

/** What goes on behind the requests of a process, and how it is mended. */
export const operatingCommands: readonly Command[] = [
  listing('lanes list', 'List the lanes of the event logs', '/internal/lanes', ['service', 'lane', 'head', 'missing']),
  listing('projections list', 'List the read models', '/internal/projections', [
    'service',
    'projection',
    'source',
    'state',
    'parked',
  ]),
  {
    name: 'projections rebuild',
    about: 'Build a read model anew beside the live one',
    subject: 'name',
    flags: { service },
    async run({ client, subject, flags }) {
      const [name] = subject.split('@', 1);
      const only = textOf(flags, 'service');
      const query = only === undefined ? '' : `?service=${encodeURIComponent(only)}`;
      const path = `/internal/projections/${encodeURIComponent(name!)}/rebuild${query}`;
      return {
        data: await client.send('POST', path),
        notes: ['It has begun: lyceum projections list tells its state.'],
      };
    },
  },
  listing('parked list', 'List streams that a read model could not follow', '/internal/parked', [
    'service',
    'projection',
    'school',
    'stream',
    'type',
    'error',
    'id',
  ]),
  {
    name: 'parked redrive',
    about: 'Apply what waits of a parked stream, or of those of a school, a read model, an error',
    subject: 'id',
    isSubjectOptional: true,
    flags: {
      school: { type: 'string', value: 'id', about: 'All streams of this school' },
      projection: { type: 'string', value: 'name', about: 'All streams of this read model' },
      error: { type: 'string', value: 'text', about: 'All streams whose error contains this' },
    },
    run: async ({ client, subject, flags }) => ({ data: await redriven(client, subject, flags) }),
  },
  {
    name: 'withheld list',
    about: 'List schools of which nothing is told to other services',
    run: async ({ client }) => ({
      data: await rows(client, '/internal/withheld'),
      columns: ['source', 'school', 'lane', 'position', 'since', 'error'],
    }),
  },
  {
    name: 'backup create',
    about: 'Back up logs, keys and secrets into a new folder of BACKUP_DIR',
    subject: 'folder',
    run: async ({ client, subject }) => ({
      data: await client.send('POST', '/internal/backup', { folder: subject }, { patient: true }),
      notes: ['Keys and secrets are in its folder secrets: keep them elsewhere, and not for long.'],
    }),
  },
  {
    name: 'mail show',
    about: 'Tell whether mail is withheld',
    async run({ client }) {
      const data = await client.send('GET', '/internal/mail');
      return { data, notes: data['withheld_since'] === null ? ['Mail is sent: none is withheld.'] : [] };
    },
  },
  {
    name: 'mail release',
    about: 'Send mail again after a restore',
    flags: { older: { type: 'string', required: true, value: 'send|discard', about: 'Invitations without a receipt' } },
    async run({ client, flags }) {
      const older = textOf(flags, 'older');
      if (older !== 'send' && older !== 'discard') throw new UsageError('--older is send or discard');
      return { data: await client.send('POST', '/internal/mail/release', { older }) };
    },
  },
  {
    name: 'people erase',
    about: 'Erase a person for ever, in every service',
    subject: 'subject',
    flags: { school: schoolFlag, yes: { type: 'boolean', about: 'Do not ask' } },
    async run({ client, subject, flags, confirm }) {
      const school = await schoolOf(client, flags);
      if (flags['yes'] !== true && !(await confirm({ subject, school }, 'Erase this person for ever?')))
        throw new UsageError('Nobody was erased: answer yes, or give --yes');
      return { data: await client.send('POST', `/internal/subjects/${encodeURIComponent(subject)}/erase`, { school }) };
    },
  },
];
