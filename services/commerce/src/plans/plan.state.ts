import { type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
import type { PlanEvent, StoredGrants, StoredPlan, StoredTerms } from './plan.events.ts';
import type { planStatuses } from './plan.fields.ts';

/** A membership plan as its events tell it. */
export interface Plan extends Readonly<StoredPlan>, Readonly<StoredTerms>, Named, Recorded {
  readonly status: (typeof planStatuses)[number];
  readonly grants: StoredGrants;
  /** Of the terms that it is sold at, from 1. */
  readonly plan_version: number;
  /** The newest terms that it was sold at; 0 = never. */
  readonly sold_version: number;
  readonly subscriber_count: number;
  readonly created_by: string;
  /** Activation; null = never. */
  readonly published_at: string | null;
}

/** A plan; null = there is none. */
export type PlanState = Plan | null;

/** What opens nothing. */
export const noGrants: StoredGrants = { courses: [], digital_products: [], posts: false, event_discount_percent: 0 };

/** Folds an event, but for the times and the version, which only the log knows. */
export function apply(state: PlanState, event: PlanEvent): PlanState {
  if (event.type === 'PlanCreated') {
    const { slug, fields, terms, created_by } = event.data;
    const unsold = { status: 'draft', plan_version: 1, sold_version: 0, subscriber_count: 0 } as const;
    const about = { ...fields, ...terms, ...named(slug), ...unsold, grants: noGrants, created_by };
    return { ...about, published_at: null, ...unrecorded };
  }
  if (!state) return state;
  switch (event.type) {
    case 'PlanChanged':
      return { ...state, ...(event.data.fields as Partial<StoredPlan>) };
    case 'PlanSlugChanged':
      return renamed(state, event.data.slug);
    case 'PlanTermsSet':
      return { ...state, ...event.data.terms, plan_version: event.data.plan_version };
    case 'PlanGrantsChanged':
      return { ...state, grants: event.data.grants };
    case 'PlanActivated':
      return { ...state, status: 'active' };
    case 'PlanRetired':
      return { ...state, status: 'retired' };
    case 'PlanDeleted':
      return null;
    case 'PlanShown':
    case 'PlanHidden':
      return state;
    case 'PlanSubscriberAdded': {
      const sold_version = Math.max(state.sold_version, event.data.plan_version);
      return { ...state, sold_version, subscriber_count: state.subscriber_count + 1 };
    }
    case 'PlanSubscriberRemoved':
      return { ...state, subscriber_count: Math.max(0, state.subscriber_count - 1) };
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'PlanCreated', published: 'PlanActivated' });
