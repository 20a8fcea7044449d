import { type Calling, type Command, type Flag, type Outcome, textOf } from '../command.ts';
import { writeExport } from '../export-file.ts';
import { type Json, OperatorRefused } from '../operator-client.ts';
import { schoolFlag, schoolOf } from '../school-of.ts';

const text = (value: string, about: string): Flag => ({ type: 'string', required: true, value, about });

/** What a school is after the operator has suspended it, or let it go on. */
const statusAfter = async (verb: 'suspend' | 'resume', { client, flags }: Calling, json?: Json): Promise<Outcome> => {
  const school = encodeURIComponent(await schoolOf(client, flags));
  return { data: await client.send('POST', `/internal/schools/${school}/${verb}`, json) };
};

/** Schools of the platform. */
export const schoolCommands: readonly Command[] = [
  {
    name: 'schools list',
    about: 'List the schools',
    run: async ({ client }) => ({
      data: await client.all('/internal/schools'),
      columns: ['id', 'slug', 'name', 'base_url', 'currency', 'locale'],
    }),
  },
  {
    name: 'schools create',
    about: 'Provision a school',
    flags: {
      slug: text('slug', 'Lower-case letters, digits and hyphens'),
      name: text('name', 'What people call it'),
      'base-url': text('https://…', 'Its address and issuer'),
      currency: text('EUR', 'ISO 4217'),
      timezone: text('Europe/Lisbon', 'IANA'),
      locale: text('pt-PT', 'BCP 47'),
      'owner-email': { type: 'string', value: 'address', about: 'Who is invited as owner' },
    },
    async run({ client, flags }) {
      const base_url = textOf(flags, 'base-url')!;
      const owner = textOf(flags, 'owner-email');
      const fields = Object.fromEntries(
        ['slug', 'name', 'currency', 'timezone', 'locale'].map((name) => [name, textOf(flags, name)]),
      );
      const host = URL.canParse(base_url) ? new URL(base_url).host : base_url;
      const json = { ...fields, base_url, host, ...(owner === undefined ? {} : { owner_email: owner }) };
      return { data: await client.send('POST', '/internal/schools', json) };
    },
  },
  {
    name: 'schools show',
    about: 'Show a school',
    flags: { school: schoolFlag },
    async run({ client, flags }) {
      return {
        data: await client.send('GET', `/internal/schools/${encodeURIComponent(await schoolOf(client, flags))}`),
      };
    },
  },
  {
    name: 'schools suspend',
    about: 'Answer visitors and members of a school 503; its staff can read',
    flags: { school: schoolFlag, reason: text('text', 'Why; its owners and admins read it') },
    run: async (calling) => statusAfter('suspend', calling, { reason: textOf(calling.flags, 'reason') }),
  },
  {
    name: 'schools resume',
    about: 'Let a suspended school go on',
    flags: { school: schoolFlag },
    run: async (calling) => statusAfter('resume', calling),
  },
  {
    name: 'schools export',
    about: 'Export a school from all services of the process into a new file',
    subject: 'file',
    flags: {
      school: schoolFlag,
      personal: { type: 'boolean', about: 'With personal data and the keys that open them: keep the file secret' },
      'signing-keys': { type: 'boolean', about: 'With the keys that sign its tokens; needs --personal' },
    },
    async run({ client, flags, subject }) {
      const asked = [
        ['personal', flags['personal']],
        ['signing_keys', flags['signing-keys']],
      ].flatMap(([name, value]) => (value === true ? [`${String(name)}=included`] : []));
      const school = encodeURIComponent(await schoolOf(client, flags));
      const query = asked.length === 0 ? '' : `?${asked.join('&')}`;
      const written = await writeExport(client.download(`/internal/schools/${school}/export${query}`), subject);
      const secret = flags['personal'] === true ? ['Whoever has this file reads everything in it.'] : [];
      return { data: written, notes: ['The file is whole: lyceum schools import takes it elsewhere.', ...secret] };
    },
  },
  {
    name: 'schools import',
    about: 'Import an exported school: shows what would come, and asks',
    subject: 'file',
    flags: {
      'base-url': { type: 'string', value: 'https://…', about: 'Where it is to be found here; where it was otherwise' },
      yes: { type: 'boolean', about: 'Import what the summary shows without asking' },
    },
    async run({ client, flags, subject, confirm }) {
      const base = textOf(flags, 'base-url');
      const query = base === undefined ? '' : `base_url=${encodeURIComponent(base)}&`;
      const summary = await client.upload(`/internal/schools/import?${query}`, subject);
      const isWanted = flags['yes'] === true || (await confirm(summary, 'Import this school?'));
      if (!isWanted) throw new OperatorRefused('Nothing was imported: answer yes, or give --yes');
      const path = `/internal/schools/import?${query}confirm=${encodeURIComponent(String(summary['digest']))}`;
      return { data: await client.upload(path, subject) };
    },
  },
];
