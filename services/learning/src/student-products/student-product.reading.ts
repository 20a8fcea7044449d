import { fold } from '@lyceum/eventlog';
import type { AskingPorts } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  listFilters,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { accessesShown } from '../downloads/accesses-shown.ts';
import { knownMember } from '../members/known-members.ts';
import { productAccesses } from '../product-access/product-access.rows.ts';
import { productAccessList, productAccessReply } from '../product-access/product-access.schema.ts';
import { productAccessDecider, productAccessStream } from '../product-access/product-access.ts';
import { productAccessDocument } from '../product-access/product-access.view.ts';
import type { OfferedProduct } from '../products/offered-product.ts';
import { offeredProduct } from '../products/product.catalog.ts';
import { studentParams } from '../students/student.schema.ts';
import { path, studentProductParams } from './student-product.schema.ts';

const reading = {
  area: 'students',
  scope: 'students:read',
  anonymous: true,
  roles: ['owner', 'admin', 'lecturer'],
  status: 200,
  errors: ['temporarily_unavailable'],
} as const;
/** Whether a caller may know who has a product: lecturers of those that they made. */
const mayKnow = ({ principal }: Pick<Call, 'principal'>, product: OfferedProduct | undefined): boolean =>
  principal !== undefined && (principal.role !== 'lecturer' || product?.created_by === principal.subject);

/** Throws 410 for a student who is erased. */
async function refuseErased(ports: Pick<Ports, 'documents'>, school: string, student: string): Promise<void> {
  if ((await knownMember(ports, school, student))?.status === 'erased') throw new Problem('erased');
}

/** Lists the digital products of a member. */
export const listStudentProducts = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'listStudentProducts',
    method: 'GET',
    path,
    summary: 'List the digital products of a member',
    description:
      'Those that the member has access to, and those that they had, newest first. Lecturers see those that they made: a page may hold fewer than `limit` and not be the last. The list follows writes with a short delay: see Consistency-Token.',
    params: studentParams,
    readModel: productAccesses,
    query: z.strictObject({ ...listFilters, ...fieldsOf(productAccessReply) }),
    reply: productAccessList,
    errors: ['erased', 'temporarily_unavailable'],
    async handle(call, { documents }) {
      const sort = orderOf(call.query);
      if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
      await refuseErased({ documents }, call.school, call.params.student);
      const where = [
        { field: 'member_id', is: call.params.student },
        { field: 'given', is: 'yes' },
        ...filterConditions(call.query),
      ];
      const page = await documents.query(productAccesses, call.school, { where, sort, ...call.page });
      const items = await accessesShown(asking, call, 'staff', page.items, (product) => mayKnow(call, product));
      const last = page.items.at(-1);
      // Where the next page begins, though the last rows of this one may not be shown.
      const next = page.more && last ? { next: { value: String(last.body['created_at']), id: last.id } } : {};
      return listReply({ items, more: page.more, ...next }, ({ document }) => document, sort);
    },
  });

/** A call about the access of a student to a product. */
export interface OfStudent {
  readonly school: string;
  readonly params: { readonly student: string; readonly product: string };
}

/** The access that a path names, as of now, with its product. Throws 404 when nothing of it was ever given. */
export async function accessOfStudent(
  { school, params: { student, product: id } }: OfStudent,
  ports: Ports & AskingPorts,
) {
  const { log, documents } = ports;
  const { state: access, ...found } = await fold(log, productAccessDecider, school, productAccessStream(student, id));
  if (!access) throw new Problem('not_found');
  await refuseErased({ documents }, school, student);
  return { ...found, access, product: await offeredProduct(ports, school, id) };
}

/** Reads the access of a member to a digital product. */
export const getStudentProduct = (asking: AskingPorts): Operation =>
  operation({
    ...reading,
    id: 'getStudentProduct',
    method: 'GET',
    path: `${path}/{product}`,
    summary: 'Read the access of a member to a digital product',
    description:
      'As of now, with all grants. Lecturers read those of the products that they made. There is no ETag: for If-Match take `version`.',
    params: studentProductParams,
    reply: productAccessReply,
    errors: ['erased', 'not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      if (!call.principal) throw new Problem('not_found');
      const { access, product, ...found } = await accessOfStudent(call, { ...ports, ...asking });
      if (!mayKnow(call, product)) throw new Problem('not_found');
      const id = productAccessStream(access.member_id, access.product_id);
      // Access changes with time and what may be downloaded with the product, without a new version, so there is no ETag.
      const body = productAccessDocument(id, access, { view: 'staff', now: call.at, product });
      return { body, observed: asOf(found).observed };
    },
  });
