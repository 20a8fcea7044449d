import { type Command, type Flag, textOf } from '../command.ts';
import { OperatorRefused } from '../operator-client.ts';

const text = (value: string, about: string): Flag => ({ type: 'string', required: true, value, about });

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
