import type { View } from '@lyceum/web';
import type { PlanReply } from './plan.schema.ts';
import { isAvailable } from './plan.rules.ts';
import type { Plan } from './plan.state.ts';

type StaffField = 'grants' | 'visible' | 'max_subscribers' | 'subscriber_count' | 'status';
type Shown = Omit<PlanReply, StaffField> & Partial<PlanReply>;

const howMany = (which: 'all' | readonly string[]): 'all' | number => (which === 'all' ? which : which.length);

/** A plan as a view shows it. What only the staff see is absent from the others, not null. */
export function planDocument(plan: Plan, view: View, id: string): Shown {
  const { slugs: _slugs, created_by: _by, sold_version: _sold, amount, currency, ...known } = plan;
  const { grants, visible, max_subscribers, subscriber_count, status, ...open } = known;
  const { courses, digital_products, posts, event_discount_percent } = grants;
  const opens = {
    courses: howMany(courses),
    digital_products: howMany(digital_products),
    posts,
    event_discount_percent,
  };
  return {
    ...open,
    id,
    object: 'membership_plan',
    benefits: [...open.benefits],
    price: { amount, currency },
    opens,
    available: isAvailable(plan),
    ...(view === 'staff' ? { grants, visible, max_subscribers, subscriber_count, status } : {}),
    view,
  };
}
