import { line } from '@lyceum/contracts';
import type { Condition } from '@lyceum/documents';
import {
  type Call,
  fieldsOf,
  filterConditions,
  given,
  lasting,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
  type Ports,
  queryAny,
  statusCondition,
} from '@lyceum/web';
import { z } from 'zod';
import { searchConditions } from '../resource/search.ts';
import type { View } from '../resource/view.ts';
import { accessKinds, statuses } from './product.fields.ts';
import { products } from './product.projection.ts';
import { viewOf } from './product.load.ts';
import { productItem } from './product.schema.ts';
import type { Product } from './product.state.ts';
import { productDocument } from './product.view.ts';

const query = z.strictObject({
  ...listFilters,
  status: z.enum(statuses).optional(),
  access: z.enum(accessKinds).optional(),
  q: line(1, 100).optional().meta({ description: 'Beginnings of words of title or summary; all of them.' }),
  ...fieldsOf(productItem),
});

/** The rows a caller may see, as alternatives: a lecturer's are the published ones and the own ones. */
function alternatives({ principal, view }: Call): readonly (readonly Condition[])[] {
  const published: Condition = { field: 'status', is: 'published' };
  if (view !== 'staff' || !principal) return [[published]];
  return principal.role === 'lecturer' ? [[published], [{ field: 'created_by', is: principal.subject }]] : [[]];
}

async function list(call: Call<{ query: typeof query }>, { documents }: Ports) {
  const sort = orderOf(call.query);
  const asked = [
    statusCondition(call.query.status, statuses),
    ...given(call.query.access, (is) => ({ field: 'access', is })),
    ...searchConditions('search', call.query.q),
    ...filterConditions(call.query),
  ];
  const visible = alternatives(call as unknown as Call).map((each) => [...each, ...asked]);
  const page = await queryAny(documents, products, call.school, visible, { sort, ...call.page });
  const show = ({ body }: (typeof page.items)[number]) => {
    const product = body as unknown as ProductRow;
    return itemOf(product, viewOf(call, product));
  };
  return listReply(page, show, sort);
}

type ProductRow = Product & { readonly search: string };

/** A product of a list as a view shows it. */
const itemOf = lasting(({ search: _search, ...product }: ProductRow, view: View) => {
  const { description: _long, ...item } = productDocument(product, view);
  return item;
});

/** Lists digital products. */
export const listProducts = operation({
  id: 'listDigitalProducts',
  method: 'GET',
  path: '/api/digital_products',
  area: 'digital_products',
  summary: 'List digital products',
  description:
    'Published ones; for staff all of them, for lecturers also their own; archived ones only when `status` asks for them. Newest first. Follows writes with a short delay: see Consistency-Token.',
  scope: 'digital_products:read',
  anonymous: true,
  readModel: products,
  query,
  status: 200,
  reply: listOf(productItem),
  handle: list,
});
