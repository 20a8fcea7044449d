/** What a process of a service does: answers requests, keeps read models and reacts to facts, publishes the outbox. */
export type ServiceRole = 'http' | 'consumer' | 'relay';

/** Every role, in the order in which they are named. */
export const serviceRoles: readonly ServiceRole[] = ['http', 'consumer', 'relay'];

/** Whether a process has a role; without roles in its settings it has all. */
export const hasRole = ({ roles }: { readonly roles?: ReadonlySet<ServiceRole> }, role: ServiceRole): boolean =>
  roles?.has(role) ?? true;
