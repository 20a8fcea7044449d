import type { Vault } from '@lyceum/eventlog';
import type { AskService } from '@lyceum/internal-api';
import { isRejection } from '@lyceum/kernel';
import { type Call, type Operation, Problem, type StatusTable, operation, problemOf } from '@lyceum/web';
import { z } from 'zod';
import { openAccount } from '../domain/accounts/account-registry.ts';
import type { AccountRejection } from '../domain/accounts/account.state.ts';
import type { Passwords } from '../domain/accounts/password-hashing.ts';
import { invitedMember } from '../school-projections/invited-member.ts';
import type { KnownSchools } from '../school-projections/school.ts';

const body = z.strictObject({
  school: z.string().meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' }),
  email: z.email().max(254).meta({ example: 'ada@example.org' }),
  name: z.string().trim().min(1).max(200).meta({ example: 'Ada Byron' }),
  password: z.string().min(8).max(1024).meta({ description: 'First password; at least 8 characters' }),
});

const reply = z.object({
  object: z.literal('account'),
  id: z.string(),
  school: z.string(),
  email: z.string(),
  name: z.string(),
});

const statuses: StatusTable<AccountRejection> = { email_taken: 409, invalid_state: 409, not_found: 404 };

/** What opening accounts needs beside the ports of every operation. */
export interface OpeningPorts {
  readonly schools: KnownSchools;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly vault: Pick<Vault, 'derive'>;
  readonly ask?: AskService | undefined;
}

type Opening = Call<{ readonly body: typeof body }>;

/** What the operator may do with accounts: a way in where no mail arrives. */
export const accountOperations = ({ schools, passwords, vault, ask }: OpeningPorts): readonly Operation[] => [
  operation({
    id: 'openAccount',
    method: 'POST',
    path: '/internal/accounts',
    area: 'accounts',
    summary: 'Open an account with which a person can sign in to a school',
    description: 'Whoever is invited there joins with the role of the invitation, anybody else as a member.',
    anonymous: true,
    body,
    status: 201,
    reply,
    errors: ['email_taken', 'not_found'],
    async handle(call: Opening, ports) {
      const { school, email, name, password } = call.body;
      if (!(await schools.get(school))) throw new Problem('not_found', 'There is no such school');
      const invited = await invitedMember(ask, school, email);
      const id = invited?.member ?? ports.ids.next('account');
      const passwordHash = await passwords.hash(password, school);
      const account = { id, email, name, passwordHash, actor: 'operator' };
      const opened = await openAccount({ ...ports, vault }, school, account);
      if (isRejection(opened)) throw problemOf(opened, statuses);
      return { body: { object: 'account', id, school, email, name } };
    },
  }),
];
