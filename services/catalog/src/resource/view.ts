import type { Role } from '@lyceum/contracts';

/** How much of a thing somebody sees. */
export type View = 'anonymous' | 'member' | 'staff';

/** Who runs the school. */
export const heads: readonly Role[] = ['owner', 'admin'];

/** Who writes what the school teaches; role lecturer what is theirs only. */
export const authors: readonly Role[] = [...heads, 'lecturer'];

/** How much of a thing the caller sees: role lecturer sees all of what is theirs only. */
export function viewOfOwn(
  { principal, view }: { readonly principal: { readonly role: Role } | undefined; readonly view: View },
  isTheirs: boolean,
): View {
  if (view !== 'staff' || (principal && heads.includes(principal.role))) return view;
  return isTheirs ? 'staff' : 'member';
}
