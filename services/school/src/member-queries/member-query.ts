import { fold } from '@lyceum/eventlog';
import type { ModulePorts } from '@lyceum/service';
import { given } from '@lyceum/web';
import { z } from 'zod';
import { members } from '../members/member.view.ts';
import { isMember, memberDecider } from '../members/member.ts';

const ids = z.array(z.string()).max(100);

const matching = z.object({
  school: z.string(),
  q: z.string().optional(),
  tag: z.string().optional(),
  /** Which members to look at; all of the school when not given. */
  ids: ids.optional(),
});

const most = 200;

/**
 * The ids of members with a part of a name, or a tag: at most 200, and whether there are more. Names and tags stay with
 * the school service; services that list people by other things ask which of theirs are meant.
 */
export async function membersMatching(question: unknown, { documents }: Pick<ModulePorts, 'documents'>) {
  const { school, q, tag, ids: asked } = matching.parse(question);
  const where = [
    ...given(asked, (all) => ({ field: 'id', in: all })),
    ...given(tag, (has) => ({ field: 'tags', has })),
    ...given(q, (contains) => ({ field: 'name', contains })),
  ];
  const { items, more } = await documents.query(members, school, { where, limit: most });
  return { ids: items.map(({ id }) => id), more };
}

const standing = z.object({ school: z.string(), ids });

/** The role and the status of members, those who are only invited too, as of now; without ids that are nobody's. */
export async function standingOfMembers(question: unknown, { log }: Pick<ModulePorts, 'log'>) {
  const { school, ids: asked } = standing.parse(question);
  const found = await Promise.all(
    asked.filter(isMember).map(async (id) => {
      const { state } = await fold(log, memberDecider, school, id);
      return state ? [{ id, role: state.role, status: state.status }] : [];
    }),
  );
  return { members: found.flat() };
}
