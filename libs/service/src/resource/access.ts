import type { Role } from '@lyceum/contracts';
import type { Condition } from '@lyceum/documents';
import type { Call, Ports, View } from '@lyceum/web';

/** Who asks. */
export type Asking = Pick<Call, 'school' | 'principal' | 'view'>;

/** Who may see and change things of a kind. `Viewer`: what is known of the caller, found out once for each request. */
export interface Access<Thing, Viewer> {
  /** Roles that may change things. */
  readonly writers: readonly Role[];
  /** What a caller reads who may know of a thing and not change it. */
  readonly refusal: string;
  viewer(asking: Asking, ports: Pick<Ports, 'log'>): Viewer | Promise<Viewer>;
  /** How much of a thing the viewer sees; with the view of the staff they may change it. */
  viewOf(viewer: Viewer, thing: Thing): View;
  /** Whether the viewer may know that there is the thing which they name by `ref`, an id or a slug. */
  mayKnow(viewer: Viewer, thing: Thing, ref: string): boolean;
  /** The rows of lists that the viewer may see, as alternatives, each a list of conditions that must all hold. */
  rows(viewer: Viewer): readonly (readonly Condition[])[];
}

/** Owners and administrators: they run the school. */
export const heads: readonly Role[] = ['owner', 'admin'];

/** Those who write what the school teaches; lecturers what is theirs only. */
export const authors: readonly Role[] = [...heads, 'lecturer'];

/** Access to things that these roles change, and that everybody sees while their status is one of `open`. */
export function keptBy(
  writers: readonly Role[],
  { open, refusal }: { readonly open: readonly string[]; readonly refusal: string },
): Access<{ readonly status: string }, Asking> {
  const isWriter = ({ principal, view }: Asking) =>
    view === 'staff' && principal !== undefined && writers.includes(principal.role);
  const viewOf = (asking: Asking): View => (asking.view !== 'staff' || isWriter(asking) ? asking.view : 'member');
  return {
    writers,
    refusal,
    viewer: (asking) => asking,
    viewOf,
    mayKnow: (asking, { status }) => open.includes(status) || viewOf(asking) === 'staff',
    rows: (asking) => [isWriter(asking) ? [] : [{ field: 'status', in: open }]],
  };
}

/** How much of a thing the caller sees: lecturers see all of what is theirs only. */
export function viewOfOwn({ principal, view }: Pick<Asking, 'principal' | 'view'>, isTheirs: boolean): View {
  if (view !== 'staff' || (principal && heads.includes(principal.role))) return view;
  return isTheirs ? 'staff' : 'member';
}
