import { type Grant, type GrantEvent, type Item, type Source, grantId, isLive } from './grant.ts';

/** Which time of access to an item by a subscription it is: later ones take the place of those before. */
interface PlanTerm {
  readonly subscription_id: string;
  /** How often the subscription had begun to give access, counting this time. */
  readonly access: number;
  /** How often the plan had closed the item before. */
  readonly generation: number;
}

/** The access of a member by a subscription as it is to be: of one item, as of now. */
export interface FollowPlan extends Omit<PlanTerm, 'generation'> {
  readonly type: 'FollowPlan';
  /** null = of none any more: this time of the subscription is over. */
  readonly generation: number | null;
  readonly opens: boolean;
  /** Why what was opened before is taken back. */
  readonly reason: string;
}

/** The source of what a subscription opens: it follows from the subscription alone, and so does the id of a grant. */
export const planSource = ({ subscription_id, access, generation }: PlanTerm): Source => ({
  source_type: 'subscription',
  source_id: `${subscription_id}.${access}${generation === 0 ? '' : `.${generation}`}`,
});

const form = /^([^.]+)\.(\d{1,9})(?:\.(\d{1,9}))?$/;

/** What a grant says of the subscription that it comes from; undefined when it comes from elsewhere. */
function termOf({ source_type, source_id }: Pick<Grant, 'source_type' | 'source_id'>): PlanTerm | undefined {
  const [, subscription_id, access, generation = '0'] = form.exec(source_id) ?? [];
  if (source_type !== 'subscription' || subscription_id === undefined) return undefined;
  return { subscription_id, access: Number(access), generation: Number(generation) };
}

type Rank = Pick<FollowPlan, 'access' | 'generation'>;

const isBefore = (term: PlanTerm, { access, generation }: Rank): boolean =>
  term.access < access || (term.access === access && (generation === null || term.generation < generation));

const isAfter = (term: PlanTerm, { access, generation }: Rank): boolean =>
  term.access > access || (term.access === access && generation !== null && term.generation > generation);

/**
 * What changes of somebody's grants when a subscription, or its plan, has changed: the grant of now comes in one commit
 * with the end of those before. What is late, because a later one was here already, changes nothing.
 */
export function decidePlanAccess<About extends object>(
  command: FollowPlan & { readonly now: string },
  { item, about }: { readonly item: Item; readonly about: About },
  grants: readonly Grant[],
): readonly GrantEvent<About>[] {
  const { subscription_id, access, generation, opens, reason, now } = command;
  const own = grants.flatMap((grant) => {
    const term = termOf(grant);
    return term?.subscription_id === subscription_id ? [{ grant, term }] : [];
  });
  if (own.some(({ term }) => isAfter(term, command))) return [];
  const ending = own.filter(({ grant, term }) => !grant.revoked && isBefore(term, command)).map(({ grant }) => grant);
  const ended = ending.map(({ grant_id, source_type, source_id }): GrantEvent<About> => {
    return { type: 'AccessRevoked', data: { ...about, grant_id, source_type, source_id, reason } };
  });
  if (!opens || generation === null) return ended;
  const source = planSource({ subscription_id, access, generation });
  const grant_id = grantId(source, item);
  if (own.some(({ grant }) => grant.grant_id === grant_id)) return ended;
  // Days that lessons wait for go on counting where access goes on.
  const since = ending.filter((grant) => isLive(grant, now)).flatMap(({ starts_at }) => starts_at ?? []);
  const starts_at = since.toSorted()[0] ?? now;
  return [{ type: 'AccessGranted', data: { ...about, grant_id, ...source, starts_at, expires_at: null } }, ...ended];
}
