import { type Scope, scopeNames } from './scopes.ts';

/** What a member of a school is. */
export const roles = ['owner', 'admin', 'lecturer', 'member'] as const;
export type Role = (typeof roles)[number];

const everyone: readonly Scope[] = [
  'openid',
  'profile',
  'email',
  'account:read',
  'account:write',
  'courses:read',
  'curriculum:read',
  'lecturers:read',
  'digital_products:read',
  'membership_plans:read',
  'events:read',
  'posts:read',
  'pages:read',
  'comments:read',
  'school:read',
  'appearance:read',
];

const teaching: readonly Scope[] = [
  'courses:write',
  'curriculum:write',
  'events:write',
  'posts:write',
  'digital_products:write',
  'storage:write',
  'lecturers:write',
  'students:read',
  'analytics:read',
];

/** The scopes that a role may be granted. Consent can only narrow them, and services check the role again. */
const grantable: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set(scopeNames),
  admin: new Set(scopeNames),
  lecturer: new Set([...everyone, ...teaching]),
  member: new Set(everyone),
};

/** Whether a person with this role may hold the scope. */
export const mayHold = (role: Role, scope: Scope): boolean => grantable[role].has(scope);

/** Whether the role may do at least what `least` may: owner > admin > lecturer > member. */
export const atLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);
