/**
 * The operations of the twenty areas, as the design of the domain names them: what a read needs is the `read` scope of its
 * area, and what writes the `write` scope, unless another stands behind it. `{}` is whatever names one thing of a kind.
 */
export const designedOperations: Readonly<Record<string, readonly string[]>> = {
  courses: [
    ...crud('/courses'),
    ...each('POST /courses/{}', 'publish', 'unpublish', 'archive', 'duplicate'),
    'GET /courses/{}/readiness',
  ],
  curriculum: [
    'GET /courses/{}/curriculum',
    'PUT /courses/{}/curriculum/order',
    'POST /courses/{}/sections',
    ...each('PATCH /courses/{}', 'sections/{}', 'lessons/{}'),
    ...each('DELETE /courses/{}', 'sections/{}', 'lessons/{}'),
    'POST /courses/{}/lessons',
    ...each('POST /courses/{}/lessons/{}', 'publish', 'unpublish'),
  ],
  students: [
    'GET /students',
    'GET /students/{}',
    'POST /students',
    'POST /students/{}/enrollments',
    'PATCH /students/{}/enrollments/{}',
    'DELETE /students/{}/enrollments/{}',
    'POST /students/{}/enrollments/{}/progress-reset',
    // Named as the other jobs are: a thing that is read, too.
    'POST /student_imports',
    'GET /certificates/{} open',
  ],
  members: [
    'GET /members',
    'GET /members/{}',
    'POST /members',
    'PATCH /members/{}',
    'PUT /members/{}/role',
    ...each('POST /members/{}', 'suspend', 'reinstate', 'resend-invite', 'erase'),
  ],
  lecturers: [...crud('/lecturers'), ...each('POST /lecturers/{}', 'archive', 'restore'), 'PUT /lecturers/{}/member'],
  digital_products: [
    ...crud('/digital_products'),
    'PUT /digital_products/{}/files',
    ...each('POST /digital_products/{}', 'publish', 'unpublish', 'archive'),
  ],
  membership_plans: [
    ...crud('/membership_plans'),
    ...each('POST /membership_plans/{}', 'publish', 'retire'),
    'PUT /membership_plans/{}/grants',
  ],
  subscriptions: [
    'GET /subscriptions',
    'GET /subscriptions/{}',
    'POST /subscriptions',
    ...each('POST /subscriptions/{}', 'cancel', 'resume', 'change-plan', 'extend'),
  ],
  coupons: [
    ...crud('/coupons'),
    ...each('POST /coupons/{}', 'pause', 'activate', 'archive'),
    'POST /coupons/batches',
    'GET /coupons/{}/redemptions',
  ],
  // Payment providers are told by themselves where their webhooks are.
  orders: [
    'GET /orders',
    'GET /orders/{}',
    'POST /checkout/quotes account:read',
    'POST /checkout account:write',
    'GET /checkout/{} account:read',
  ],
  school: [
    'GET /school',
    'PATCH /school',
    'POST /school/domains',
    'POST /school/domains/{}/verify',
    'DELETE /school/domains/{}',
  ],
  appearance: [
    'GET /appearance',
    'GET /appearance/draft',
    'PUT /appearance/draft',
    ...each('POST /appearance', 'publish', 'discard', 'rollback'),
  ],
  pages: [
    ...crud('/pages'),
    'PUT /pages/{}/draft',
    ...each('POST /pages/{}', 'publish', 'unpublish', 'schedule', 'rollback'),
  ],
  forms: [
    'GET /forms',
    'GET /forms/{}',
    'GET /forms/{}/submissions',
    'GET /forms/{}/submissions/{}',
    'POST /forms/{}/submissions account:write',
  ],
  posts: [...crud('/posts'), ...each('POST /posts/{}', 'publish', 'schedule', 'unpublish', 'pin', 'unpin')],
  comments: [
    'GET /comments',
    'POST /comments account:write',
    'PATCH /comments/{} account:write',
    'DELETE /comments/{} account:write',
    'POST /comments/{}/like account:write',
    'POST /comments/{}/report account:write',
    'POST /comments/{}/moderation posts:write courses:write',
  ],
  events: [
    ...crud('/events'),
    ...each('POST /events/{}', 'publish', 'cancel'),
    'GET /events/{}/registrations',
    'POST /events/{}/registrations/{}/check-in',
    'POST /events/{}/registrations/{}/cancel',
    'POST /events/{}/registrations account:write',
  ],
  storage: [
    'POST /storage/uploads',
    'POST /storage/uploads/{}/complete',
    'GET /storage/uploads/{} storage:write',
    'DELETE /storage/uploads/{}',
  ],
  analytics: each(
    'GET /analytics',
    'revenue',
    'enrollments',
    'funnel',
    'retention',
    'active_students',
    'subscriptions',
    'coupons',
    'forms',
  ),
  account: [
    'GET /account',
    'PATCH /account',
    'POST /account/email',
    'POST /account/avatar',
    'GET /account/clients/{}',
    'DELETE /account/clients/{}',
    ...each('GET /account', 'enrollments', 'orders', 'subscriptions', 'registrations', 'comments'),
    'POST /account/enrollments',
    'PUT /account/enrollments/{}/lessons/{}',
    'POST /account/enrollments/{}/lessons/{}/attempts',
    'POST /account/downloads',
    ...each('POST /account/subscriptions/{}', 'cancel', 'resume'),
    'POST /account/export',
    'POST /account/erasure',
  ],
};

function crud(path: string): readonly string[] {
  return [`GET ${path}`, `GET ${path}/{}`, `POST ${path}`, `PATCH ${path}/{}`, `DELETE ${path}/{}`];
}

function each(base: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${base}/${name}`);
}
