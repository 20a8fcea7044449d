/**
 * Which service of those that come with Lyceum answers under which path: whole segments, the longest prefix wins. Every
 * first segment after `/api/` belongs to one service, but for what other services have of an account.
 */
export const routes: Readonly<Record<string, string>> = {
  '/oauth': 'auth',
  '/api/oauth': 'auth',
  '/api/account': 'auth',
  '/api/changes': 'gateway',
  '/api/school': 'school',
  '/api/members': 'school',
  '/api/account/avatar': 'school',
  '/api/account/erasure': 'school',
  '/api/account/notifications': 'school',
  '/api/appearance': 'school',
  '/api/courses': 'catalog',
  '/api/lecturers': 'catalog',
  '/api/digital_products': 'catalog',
  '/api/storage': 'media',
  '/media': 'media',
  '/api/students': 'learning',
  '/api/student_imports': 'learning',
  '/api/account/enrollments': 'learning',
  '/api/account/downloads': 'learning',
  '/api/account/certificates': 'learning',
  '/certificates': 'learning',
  '/api/coupons': 'commerce',
  '/api/coupon_batches': 'commerce',
  '/api/membership_plans': 'commerce',
  '/api/orders': 'commerce',
  '/api/checkout': 'commerce',
  '/api/payments': 'commerce',
  '/api/subscriptions': 'commerce',
  '/api/account/orders': 'commerce',
  '/api/account/subscriptions': 'commerce',
  '/api/invoices': 'commerce',
  '/api/account/invoices': 'commerce',
  '/invoices': 'commerce',
  '/api/pages': 'content',
  '/api/posts': 'content',
  '/api/forms': 'content',
  '/api/comments': 'content',
  '/api/account/comments': 'content',
  '/api/analytics': 'analytics',
  '/api/events': 'content',
  '/events': 'content',
  '/registrations': 'content',
  '/api/account/registrations': 'content',
};

/** The path prefixes of a service, longest first. */
export const routesOf = (service: string): readonly string[] =>
  Object.keys(routes)
    .filter((path) => routes[path] === service)
    .sort((a, b) => b.length - a.length);

/** The services that may keep something about people: every one that has routes, but the edge, which keeps nothing. */
export const servicesOfPeople: readonly string[] = [...new Set(Object.values(routes))]
  .filter((service) => service !== 'gateway')
  .sort();

/** The setting that says where a service is, e.g. `CATALOG_URL`. */
export const addressSetting = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_URL`;
