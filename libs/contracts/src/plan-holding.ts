import type { FactOf } from './integration-events/facts.ts';

/** What begins or ends the access by a subscription. What is paid, due or extended leaves it as it is. */
export type HoldingFact = Extract<
  FactOf<'commerce'>,
  {
    readonly type:
      | 'SubscriptionStarted'
      | 'SubscriptionResumed'
      | 'SubscriptionPlanChanged'
      | 'SubscriptionPaused'
      | 'SubscriptionLapsed'
      | 'SubscriptionCanceled';
  }
>;

/** The types of the integration events that begin or end access by a subscription. */
export const holdingFacts = [
  'SubscriptionStarted',
  'SubscriptionResumed',
  'SubscriptionPlanChanged',
  'SubscriptionPaused',
  'SubscriptionLapsed',
  'SubscriptionCanceled',
] as const satisfies readonly HoldingFact['type'][];

/** Why access by a subscription ended. */
type EndReason = 'paused' | 'lapsed' | 'canceled';

/** A subscription as far as it gives access. */
export interface Holding {
  readonly member_id: string;
  readonly plan_id: string;
  /** All plans that it has had. */
  readonly plans: readonly string[];
  /** How often it has begun to give access; what follows is about the newest time. */
  readonly access: number;
  /** The position of the commerce service's log where that began; null = only its end has come. */
  readonly since: number | null;
  /** null = it has not ended. */
  readonly ended: EndReason | null;
}

const endings: Readonly<Partial<Record<HoldingFact['type'], EndReason>>> = {
  SubscriptionPaused: 'paused',
  SubscriptionLapsed: 'lapsed',
  SubscriptionCanceled: 'canceled',
};

const withPlans = (before: readonly string[], ...plans: readonly string[]): readonly string[] => [
  ...new Set([...before, ...plans]),
];

/**
 * A subscription after an integration event, whichever came before: of each time the beginning and the end are remembered
 * wherever they stand, and a later time ends those before.
 */
export function holdingAfter(before: Holding | undefined, fact: HoldingFact, position: number): Holding {
  const { member_id, plan_id, access } = fact.data;
  const from = fact.type === 'SubscriptionPlanChanged' ? [fact.data.from_plan_id] : [];
  const plans = withPlans(before?.plans ?? [], ...from, plan_id);
  if (before && access < before.access) return { ...before, plans };
  const known = before?.access === access ? before : undefined;
  const ended = endings[fact.type] ?? null;
  const since = ended === null ? (known?.since ?? position) : (known?.since ?? null);
  return { member_id, plan_id, plans, access, since, ended: known?.ended ?? ended };
}

/** Whether it gives access now. */
export const givesAccess = ({ since, ended }: Holding): boolean => since !== null && ended === null;
