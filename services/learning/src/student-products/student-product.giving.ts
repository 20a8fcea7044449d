import { type AskingPorts, heads } from '@lyceum/service';
import { type Call, type Operation, type Ports, Problem, type Reply, asOf, operation } from '@lyceum/web';
import { refusePast } from '../enrolling/enrolling.ts';
import { refusalsOf } from '../enrolling/standing.ts';
import type { GrantCommand } from '../grants/grant.deciding.ts';
import { extendBody } from '../grants/grant.schema.ts';
import { giveProductBody, productAccessReply } from '../product-access/product-access.schema.ts';
import { productAccessDocument } from '../product-access/product-access.view.ts';
import { type ProductAccessDecided, decideProductAccess } from '../product-access/product-access.write.ts';
import type { OfferedProduct } from '../products/offered-product.ts';
import { offeredProduct } from '../products/product.catalog.ts';
import { studentParams } from '../students/student.schema.ts';
import { type OfStudent, accessOfStudent } from './student-product.reading.ts';
import { path, studentProductParams } from './student-product.schema.ts';

const writing = {
  area: 'students',
  scope: 'students:write',
  anonymous: false,
  roles: heads,
  reply: productAccessReply,
} as const;

/** The answer to a command of the staff. */
function replyOf(
  { stream, state, ...done }: ProductAccessDecided,
  now: string,
  product: OfferedProduct | undefined,
): Reply {
  return { body: productAccessDocument(stream, state, { view: 'staff', now, product }), ...asOf(done) };
}

/** The product, for the staff to give to somebody. Throws the problem when it cannot be. */
function givable(product: OfferedProduct | undefined): OfferedProduct {
  if (!product || product.status === 'draft')
    throw new Problem('validation_failed', 'There is no such digital product', {
      details: [{ path: 'product_id', code: 'unknown_product', message: 'must name a digital product' }],
    });
  if (product.status === 'archived') throw new Problem('invalid_state', 'The product was put away for good');
  return product;
}

/** Gives a member a digital product, by the staff. */
export const giveProduct = (asking: AskingPorts): Operation =>
  operation({
    ...writing,
    id: 'giveProduct',
    method: 'POST',
    path,
    summary: 'Give a digital product to a member',
    description:
      'Lets a member of the school download it, beside whatever access they have from elsewhere; somebody who is only invited has it once they join. One grant of the staff counts at a time. It asks nobody for money.',
    params: studentParams,
    body: giveProductBody,
    status: 201,
    errors: ['already_granted', 'erased', 'invalid_state', 'not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { student: member_id } = call.params;
      const { product_id, expires_at = null } = call.body;
      const refusal = (await refusalsOf({ ...asking, ...ports }, call.school, [member_id])).get(member_id);
      if (refusal) throw refusal;
      const product = givable(await offeredProduct(asking, call.school, product_id));
      refusePast(expires_at, call.at);
      const source = { source_type: 'staff', source_id: call.commit.commitId } as const;
      const given = { member_id, product_id, starts_at: call.at, expires_at, now: call.at };
      const done = await decideProductAccess(call, ports, { type: 'GrantAccess', ...source, ...given });
      const headers = { Location: `/api/students/${member_id}/digital_products/${product_id}` };
      return { ...replyOf(done, call.at, product), headers };
    },
  });

type Changing = Pick<Call, 'at' | 'meta' | 'commit' | 'expected'> & OfStudent;

/** Brings a command of the staff to the access that a path names. */
async function change(
  call: Changing,
  ports: Ports & AskingPorts,
  command: Extract<GrantCommand, { readonly type: 'ExtendStaffAccess' | 'RevokeStaffAccess' }>,
): Promise<Reply> {
  const { access, product } = await accessOfStudent(call, ports);
  const { member_id, product_id } = access;
  const done = await decideProductAccess(call, ports, { ...command, member_id, product_id, now: call.at });
  return replyOf(done, call.at, product);
}

const changing = {
  ...writing,
  path: `${path}/{product}`,
  params: studentProductParams,
  ifMatch: 'accepted',
  status: 200,
} as const;

/** Lets the access that the staff gave last until another time. */
export const extendProduct = (asking: AskingPorts): Operation =>
  operation({
    ...changing,
    id: 'extendProduct',
    method: 'PATCH',
    summary: 'Extend the access to a digital product that the staff gave',
    description: 'Also after it has expired; what was bought stays as it is. null = for ever.',
    body: extendBody,
    errors: ['erased', 'invalid_state', 'not_found', 'temporarily_unavailable'],
    handle: (call, ports) =>
      change(call, { ...ports, ...asking }, { type: 'ExtendStaffAccess', expires_at: call.body.expires_at }),
  });

/** Takes back what the staff gave. */
export const revokeProduct = (asking: AskingPorts): Operation =>
  operation({
    ...changing,
    id: 'revokeProduct',
    method: 'DELETE',
    summary: 'Take back the digital product that the staff gave',
    description:
      'Only that: what was bought, subscribed to or taken for free stays, and `state` says whether access remains. Addresses that were issued before live until they end.',
    errors: ['erased', 'not_found', 'temporarily_unavailable'],
    handle: (call, ports) => change(call, { ...ports, ...asking }, { type: 'RevokeStaffAccess' }),
  });
