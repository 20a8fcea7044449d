import { roles, instant, line } from '@lyceum/contracts';
import type { Condition } from '@lyceum/documents';
import type { Vault } from '@lyceum/eventlog';
import { type Call, type Operation, type Ports, listOf, listQuery, listReply, operation } from '@lyceum/web';
import { z } from 'zod';
import { memberEmailKey } from './member.email.ts';
import { emailFilter, memberReply } from './member.schema.ts';
import { memberStatuses } from './member.state.ts';
import { memberDocument, memberOf, members } from './member.view.ts';

const ids = z
  .string()
  .max(100 * 45)
  .transform((list) => list.split(','))
  .pipe(z.array(z.string().min(1).max(64)).min(1).max(100))
  .meta({ description: 'At most 100 ids, separated by commas.' });

const query = z.strictObject({
  ...listQuery,
  role: z.enum(roles).optional(),
  status: z.enum(memberStatuses).optional(),
  tag: line(1, 40).optional(),
  q: line(1, 100).optional().meta({ description: 'Part of the name.' }),
  email: emailFilter,
  created_after: instant().optional(),
  created_before: instant().optional(),
  updated_after: instant().optional(),
  ids: ids.optional(),
  sort: z.enum(['created_at', '-created_at']).default('-created_at'),
});

type Filters = z.output<typeof query>;

const given = <T>(value: T | undefined, condition: (value: T) => Condition): readonly Condition[] =>
  value === undefined ? [] : [condition(value)];

const conditions = (asked: Filters, emailKey: string | undefined): readonly Condition[] => [
  ...given(asked.role, (is) => ({ field: 'role', is })),
  ...given(asked.status, (is) => ({ field: 'status', is })),
  ...given(asked.tag, (has) => ({ field: 'tags', has })),
  ...given(asked.q, (contains) => ({ field: 'name', contains })),
  ...given(emailKey, (is) => ({ field: 'email_key', is })),
  ...given(asked.created_after, (above) => ({ field: 'created_at', above })),
  ...given(asked.created_before, (below) => ({ field: 'created_at', below })),
  ...given(asked.updated_after, (above) => ({ field: 'updated_at', above })),
  ...given(asked.ids, (all) => ({ field: 'id', in: all })),
];

async function list(call: Call<{ query: typeof query }>, { documents }: Ports, vault: Pick<Vault, 'derive'>) {
  const sort = { field: 'created_at', descending: call.query.sort === '-created_at' };
  if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
  const { email } = call.query;
  const emailKey = email === undefined ? undefined : await memberEmailKey(vault, call.school, email);
  const where = conditions(call.query, emailKey);
  const page = await documents.query(members, call.school, { where, sort, ...call.page });
  return listReply(page, ({ id, body }) => memberDocument(id, memberOf(body), call.issuer), sort);
}

/** Lists members. */
export const listMembers = (vault: Pick<Vault, 'derive'>): Operation =>
  operation({
    id: 'listMembers',
    method: 'GET',
    path: '/api/members',
    area: 'members',
    summary: 'List members',
    description:
      'For owners and admins; without a token the list is empty. Newest first. The list follows writes with a short delay: see Consistency-Token.',
    scope: 'members:read',
    anonymous: true,
    roles: ['owner', 'admin'],
    staff: ['owner', 'admin'],
    readModel: members,
    query,
    status: 200,
    reply: listOf(memberReply),
    handle: (call, ports) => list(call, ports, vault),
  });
