import { type Command, textOf } from '../command.ts';
import { type Json, rowsIn } from '../operator-client.ts';
import { schoolFlag, schoolOf } from '../school-of.ts';

const keyColumns = ['kid', 'alg', 'status', 'since'];
const keysOf = (answer: Json) => ({ data: rowsIn(answer, 'keys'), columns: keyColumns });

/** Shuts a member out or in again. */
const accessCommand = (verb: 'suspend' | 'reinstate', about: string): Command => ({
  name: `members ${verb}`,
  about,
  subject: 'member id',
  flags: { school: schoolFlag },
  async run({ client, subject, flags }) {
    const json = { school: await schoolOf(client, flags) };
    return { data: await client.send('POST', `/internal/members/${encodeURIComponent(subject)}/${verb}`, json) };
  },
});

/** The people of a school: a way in where it has lost its owners, and a way out. */
export const memberCommands: readonly Command[] = [
  {
    name: 'members list',
    about: 'List the members of a school',
    flags: {
      school: schoolFlag,
      role: { type: 'string', value: 'role', about: 'Those with this role' },
      status: { type: 'string', value: 'status', about: 'invited, active, suspended or erased' },
    },
    async run({ client, flags }) {
      const query = new URLSearchParams({ school: await schoolOf(client, flags) });
      for (const name of ['role', 'status']) {
        const value = textOf(flags, name);
        if (value !== undefined) query.set(name, value);
      }
      const columns = ['id', 'name', 'email', 'role', 'status', 'created_at'];
      return { data: await client.all(`/internal/members?${query.toString()}`), columns };
    },
  },
  accessCommand('suspend', 'Shut a member out: no sign-in, and no token of theirs counts'),
  accessCommand('reinstate', 'Let a suspended member in again'),
  {
    name: 'members invite',
    about: 'Invite somebody to a school, with any role',
    flags: {
      school: schoolFlag,
      email: { type: 'string', required: true, value: 'address', about: 'Where the invitation goes' },
      role: { type: 'string', value: 'role', about: 'member (default), lecturer, admin, owner …' },
      name: { type: 'string', value: 'name', about: 'What they are called' },
    },
    async run({ client, flags }) {
      const named = ['email', 'role', 'name'].map((name) => [name, textOf(flags, name)] as const);
      const json = {
        school: await schoolOf(client, flags),
        ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
      };
      const data = await client.send('POST', '/internal/members', json);
      return { data, notes: ['Whoever has the invitation address can join: hand it to nobody else.'] };
    },
  },
];

/** The signing keys of schools. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys list',
    about: 'Show the signing keys of a school',
    flags: { school: schoolFlag },
    async run({ client, flags }) {
      const school = encodeURIComponent(await schoolOf(client, flags));
      return keysOf(await client.send('GET', `/internal/signing-keys?school=${school}`));
    },
  },
  {
    name: 'keys rotate',
    about: 'Publish new signing keys, which sign a day later',
    flags: {
      school: schoolFlag,
      'at-once': { type: 'boolean', about: 'After a theft: they sign now, and every token of before is void' },
    },
    async run({ client, flags }) {
      const json = { school: await schoolOf(client, flags), at_once: flags['at-once'] === true };
      return keysOf(await client.send('POST', '/internal/signing-keys/rotate', json));
    },
  },
  {
    name: 'keys rewrap',
    about: 'Wrap the keys of all schools under the present KEY_ENCRYPTION_KEY',
    async run({ client }) {
      const data = await client.send('POST', '/internal/keys/rewrap');
      const note =
        'Run it again until it says 0, in every process: then nothing needs KEY_ENCRYPTION_KEY_PREVIOUS any more.';
      return { data, notes: [note] };
    },
  },
];
