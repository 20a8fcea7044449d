import { keysOf } from '@lyceum/kernel';
import { type Role, atLeast } from './roles.ts';

/** A scope of the access specification: what it grants, the area it opens, and the least role that may hold it. */
export interface ScopeEntry {
  readonly grants: string;
  readonly area: string;
  readonly least: Role;
}

/** Every scope there is, in the order of the specification. */
export const scopes = {
  openid: { grants: 'OpenID Connect authentication', area: 'account', least: 'member' },
  profile: { grants: 'Basic profile information', area: 'account', least: 'member' },
  email: { grants: 'E-mail address', area: 'account', least: 'member' },
  'courses:read': { grants: 'Read courses', area: 'courses', least: 'member' },
  'courses:write': { grants: 'Write courses', area: 'courses', least: 'lecturer' },
  'students:read': { grants: 'Read students', area: 'students', least: 'lecturer' },
  'students:write': { grants: 'Write students', area: 'students', least: 'admin' },
  'members:read': { grants: 'Read members', area: 'members', least: 'admin' },
  'members:write': { grants: 'Write members', area: 'members', least: 'admin' },
  'analytics:read': { grants: 'Read analytics', area: 'analytics', least: 'lecturer' },
  'curriculum:read': { grants: 'Read curriculum', area: 'curriculum', least: 'member' },
  'curriculum:write': { grants: 'Write curriculum', area: 'curriculum', least: 'lecturer' },
  'orders:read': { grants: 'Read orders', area: 'orders', least: 'admin' },
  'school:read': { grants: 'Read school settings', area: 'school', least: 'member' },
  'school:write': { grants: 'Write school settings', area: 'school', least: 'admin' },
  'appearance:read': { grants: 'Read appearance', area: 'appearance', least: 'member' },
  'appearance:write': { grants: 'Write appearance', area: 'appearance', least: 'admin' },
  'events:read': { grants: 'Read events', area: 'events', least: 'member' },
  'events:write': { grants: 'Write events', area: 'events', least: 'lecturer' },
  'membership_plans:read': { grants: 'Read membership plans', area: 'membership_plans', least: 'member' },
  'membership_plans:write': { grants: 'Write membership plans', area: 'membership_plans', least: 'admin' },
  'coupons:read': { grants: 'Read coupons', area: 'coupons', least: 'admin' },
  'coupons:write': { grants: 'Write coupons', area: 'coupons', least: 'admin' },
  'posts:read': { grants: 'Read posts', area: 'posts', least: 'member' },
  'posts:write': { grants: 'Write posts', area: 'posts', least: 'lecturer' },
  'subscriptions:read': { grants: 'Read subscriptions', area: 'subscriptions', least: 'admin' },
  'subscriptions:write': { grants: 'Write subscriptions', area: 'subscriptions', least: 'admin' },
  'digital_products:read': { grants: 'Read digital products', area: 'digital_products', least: 'member' },
  'digital_products:write': { grants: 'Write digital products', area: 'digital_products', least: 'lecturer' },
  'comments:read': { grants: 'Read comments', area: 'comments', least: 'member' },
  'lecturers:read': { grants: 'Read lecturers', area: 'lecturers', least: 'member' },
  'lecturers:write': { grants: 'Write lecturers', area: 'lecturers', least: 'lecturer' },
  'storage:write': { grants: 'Write storage', area: 'storage', least: 'lecturer' },
  'forms:read': { grants: 'Read forms', area: 'forms', least: 'admin' },
  'pages:read': { grants: 'Read pages', area: 'pages', least: 'member' },
  'pages:write': { grants: 'Write pages', area: 'pages', least: 'admin' },
  'account:read': { grants: 'Read your account', area: 'account', least: 'member' },
  'account:write': { grants: 'Write your account and act as you', area: 'account', least: 'member' },
} as const satisfies Record<string, ScopeEntry>;

/** A scope name. */
export type Scope = keyof typeof scopes;

/** Every scope name, in the order of the specification. */
export const scopeNames: readonly Scope[] = keysOf(scopes);

/** The scopes of OpenID Connect, which no protected resource asks for. */
export const oidcScopes: readonly Scope[] = ['openid', 'profile', 'email'];

/** Whether a string names a scope. */
export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name);

/** Whether a person with this role may hold the scope. Consent can only narrow this, and services check the role again. */
export const mayHold = (role: Role, scope: Scope): boolean => atLeast(role, scopes[scope].least);
