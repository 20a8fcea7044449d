/** A scope of the access specification: what it grants, and the area it opens. */
export interface ScopeEntry {
  readonly grants: string;
  readonly area: string;
}

/** Every scope there is, in the order of the specification. */
export const scopes = {
  openid: { grants: 'OpenID Connect authentication', area: 'account' },
  profile: { grants: 'Basic profile information', area: 'account' },
  email: { grants: 'E-mail address', area: 'account' },
  'courses:read': { grants: 'Read courses', area: 'courses' },
  'courses:write': { grants: 'Write courses', area: 'courses' },
  'students:read': { grants: 'Read students', area: 'students' },
  'students:write': { grants: 'Write students', area: 'students' },
  'members:read': { grants: 'Read members', area: 'members' },
  'members:write': { grants: 'Write members', area: 'members' },
  'analytics:read': { grants: 'Read analytics', area: 'analytics' },
  'curriculum:read': { grants: 'Read curriculum', area: 'curriculum' },
  'curriculum:write': { grants: 'Write curriculum', area: 'curriculum' },
  'orders:read': { grants: 'Read orders', area: 'orders' },
  'school:read': { grants: 'Read school settings', area: 'school' },
  'school:write': { grants: 'Write school settings', area: 'school' },
  'appearance:read': { grants: 'Read appearance', area: 'appearance' },
  'appearance:write': { grants: 'Write appearance', area: 'appearance' },
  'events:read': { grants: 'Read events', area: 'events' },
  'events:write': { grants: 'Write events', area: 'events' },
  'membership_plans:read': { grants: 'Read membership plans', area: 'membership_plans' },
  'membership_plans:write': { grants: 'Write membership plans', area: 'membership_plans' },
  'coupons:read': { grants: 'Read coupons', area: 'coupons' },
  'coupons:write': { grants: 'Write coupons', area: 'coupons' },
  'posts:read': { grants: 'Read posts', area: 'posts' },
  'posts:write': { grants: 'Write posts', area: 'posts' },
  'subscriptions:read': { grants: 'Read subscriptions', area: 'subscriptions' },
  'subscriptions:write': { grants: 'Write subscriptions', area: 'subscriptions' },
  'digital_products:read': { grants: 'Read digital products', area: 'digital_products' },
  'digital_products:write': { grants: 'Write digital products', area: 'digital_products' },
  'comments:read': { grants: 'Read comments', area: 'comments' },
  'lecturers:read': { grants: 'Read lecturers', area: 'lecturers' },
  'lecturers:write': { grants: 'Write lecturers', area: 'lecturers' },
  'storage:write': { grants: 'Write storage', area: 'storage' },
  'forms:read': { grants: 'Read forms', area: 'forms' },
  'pages:read': { grants: 'Read pages', area: 'pages' },
  'pages:write': { grants: 'Write pages', area: 'pages' },
  'account:read': { grants: 'Read your account', area: 'account' },
  'account:write': { grants: 'Write your account and act as you', area: 'account' },
} as const satisfies Record<string, ScopeEntry>;

/** A scope name. */
export type Scope = keyof typeof scopes;

/** Every scope name, in the order of the specification. */
export const scopeNames = Object.keys(scopes) as readonly Scope[];

/** The scopes of OpenID Connect, which no protected resource asks for. */
export const oidcScopes: readonly Scope[] = ['openid', 'profile', 'email'];

/** Whether a string names a scope. */
export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name);
