/** What a member of a school is. */
export const roles = ['owner', 'admin', 'lecturer', 'member'] as const;
export type Role = (typeof roles)[number];

/** Whether the role may do at least what `least` may: owner > admin > lecturer > member. */
export const atLeast = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);
