import { type AskingPorts, askFor } from '@lyceum/service';
import type { Call } from '@lyceum/web';
import { z } from 'zod';
import type { Registration } from '../registrations/registration.state.ts';
import type { ShownPerson } from './registration.view.ts';

const people = z.object({
  members: z.array(z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })),
});

/** Members of one question. */
const atOnce = 100;

async function membersById(ports: AskingPorts, school: string, ids: readonly string[]) {
  const answer = await askFor(ports, 'school', { kind: 'members-by-id', school, ids }, people);
  return answer?.members ?? [];
}

/** Whether the caller may see e-mail addresses. */
const seesAddresses = ({ principal }: Pick<Call, 'principal'>): boolean =>
  principal !== undefined &&
  (principal.role === 'owner' || principal.role === 'admin') &&
  principal.scopes.has('members:read');

/** Who is registered, as far as the caller may know it: members as the school service says, guests as they said. */
export async function peopleOf(
  ports: AskingPorts,
  call: Pick<Call, 'school' | 'principal'>,
  all: readonly Registration[],
): Promise<(registration: Registration) => ShownPerson> {
  const ids = [...new Set(all.flatMap(({ member_id }) => member_id ?? []))];
  const known = new Map<string, z.output<typeof people>['members'][number]>();
  for (let from = 0; from < ids.length; from += atOnce)
    for (const each of await membersById(ports, call.school, ids.slice(from, from + atOnce))) known.set(each.id, each);
  const withAddress = seesAddresses(call);
  return ({ member_id, guest }) => {
    const person = member_id === null ? guest : known.get(member_id);
    const name = person?.name ?? null;
    return withAddress ? { name, email: person?.email ?? null } : { name };
  };
}
