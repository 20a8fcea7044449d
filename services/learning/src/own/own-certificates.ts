import {
  type Operation,
  fieldsOf,
  filterConditions,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { certificateOf, certificates } from '../certificates/certificate.rows.ts';
import { certificateReply } from '../certificates/certificate.schema.ts';
import { certificateDocument } from '../certificates/certificate.view.ts';
import { callerOf } from '../enrollments/enrollment.read.ts';

/** Lists the certificates of the token's member. */
export const listOwnCertificates: Operation = operation({
  id: 'listOwnCertificates',
  method: 'GET',
  path: '/api/account/certificates',
  area: 'account',
  scope: 'account:read',
  anonymous: false,
  // Nobody sees more of their own certificates for being staff.
  staff: [],
  summary: 'List your certificates',
  description:
    'Of the courses that you completed, newest first. The list follows writes with a short delay: see Consistency-Token.',
  readModel: certificates,
  query: z.strictObject({ ...listFilters, ...fieldsOf(certificateReply) }),
  status: 200,
  reply: listOf(certificateReply),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    const where = [{ field: 'member_id', is: callerOf(call) }, ...filterConditions(call.query)];
    const page = await documents.query(certificates, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => certificateDocument(id, certificateOf(body), 'member'), sort);
  },
});
