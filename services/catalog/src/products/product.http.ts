import type { Executed } from '@lyceum/eventlog';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  fieldsOf,
  lasting,
  operation,
  type Ports,
  Problem,
  type Reply,
  type StatusTable,
} from '@lyceum/web';
import { z } from 'zod';
import { authors } from '../resource/view.ts';
import { currencyOf, givenIn } from '../schools/school-currency.ts';
import { createNamed, namingOf } from '../resource/slugs.ts';
import { changesOf, newProduct } from './product.input.ts';
import { listProducts } from './product.list.ts';
import { loadProduct } from './product.load.ts';
import { changeProductBody, createProductBody, filesBody, productParams, productReply } from './product.schema.ts';
import type { ProductState } from './product.state.ts';
import { type ProductCode, type ProductCommand, productDecider } from './product.ts';
import { productDocument } from './product.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const productStatuses = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<ProductCode>;

const path = '/api/digital_products';
const one = `${path}/{product}`;
const area = 'digital_products';
const writing = { area, scope: 'digital_products:write', anonymous: false, roles: authors } as const;
const changing = { ...writing, params: productParams, reply: productReply, ifMatch: 'accepted', status: 200 } as const;

type OfProduct = Omit<Call<{ params: typeof productParams }>, 'query' | 'body'>;

const written = (done: Executed<ProductState>): Reply => ({
  ...(done.state ? { body: productDocument(done.state, 'staff') } : {}),
  ...asOf(done),
});

/** Brings a command to a product that the caller may change. */
async function change(call: OfProduct, ports: Ports, command: ProductCommand): Promise<Reply> {
  const { product, view } = await loadProduct(call, call.params.product, ports);
  if (view !== 'staff') throw new Problem('access_denied', 'This product is not one of yours');
  return written(accepted(await attempt(call, ports, productDecider, product.id, command), productStatuses));
}

const create = operation({
  ...writing,
  id: 'createDigitalProduct',
  method: 'POST',
  path,
  summary: 'Create a digital product',
  description: 'Creates a draft. Without a slug one is made from the title.',
  body: createProductBody,
  status: 201,
  reply: productReply,
  errors: ['slug_taken'],
  async handle(call, ports) {
    const known = await givenIn(call.school, ports);
    const id = ports.ids.next('product');
    const made = { ...newProduct(call.body, known), id, by: call.meta.actor, currency: known.currency };
    const outcome = await createNamed(namingOf(call.body.slug, call.body.title), { id, noun: 'product' }, (slug) =>
      attempt(call, ports, productDecider, id, { type: 'CreateProduct', slug, ...made }),
    );
    const done = accepted(outcome, productStatuses);
    return { ...written(done), headers: { Location: `${path}/${done.stream}` } };
  },
});

const documentOf = lasting(productDocument);

const get = operation({
  area,
  scope: 'digital_products:read',
  anonymous: true,
  id: 'getDigitalProduct',
  method: 'GET',
  path: one,
  summary: 'Read a digital product',
  description: 'By id or slug, as of now. A former slug answers 308 with the address of the present one.',
  params: productParams,
  query: z.strictObject(fieldsOf(productReply)),
  status: 200,
  reply: productReply,
  async handle(call, ports) {
    const ref = call.params.product;
    const { product, view, ...found } = await loadProduct(call, ref, ports);
    const { version, observed } = asOf(found);
    if (ref !== product.id && ref !== product.slug)
      return { status: 308, headers: { Location: `${path}/${product.slug}` }, observed };
    return { body: documentOf(product, view), version, observed };
  },
});

const patch = operation({
  ...changing,
  id: 'changeDigitalProduct',
  method: 'PATCH',
  path: one,
  summary: 'Change a digital product',
  description: 'A JSON Merge Patch. A published product has to stay complete.',
  body: changeProductBody,
  errors: ['slug_taken', 'not_ready', 'invalid_state'],
  async handle(call, ports) {
    const known = await givenIn(call.school, ports);
    const changes = changesOf(call.body, known);
    return change(call, ports, { type: 'ChangeProduct', changes, currency: known.currency });
  },
});

const setFiles = operation({
  ...changing,
  id: 'setDigitalProductFiles',
  method: 'PUT',
  path: `${one}/files`,
  summary: 'Set the files of a digital product',
  description: 'Replaces all files. A published product keeps at least one.',
  body: filesBody,
  errors: ['not_ready', 'invalid_state'],
  async handle(call, ports) {
    const currency = await currencyOf(ports.documents, call.school);
    return change(call, ports, { type: 'SetFiles', files: call.body.files, currency });
  },
});

const publish = operation({
  ...changing,
  id: 'publishDigitalProduct',
  method: 'POST',
  path: `${one}/publish`,
  summary: 'Publish a digital product',
  description: 'Makes it public; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
  errors: ['not_ready', 'invalid_state'],
  async handle(call, ports) {
    return change(call, ports, { type: 'PublishProduct', currency: await currencyOf(ports.documents, call.school) });
  },
});

const unpublish = operation({
  ...changing,
  id: 'unpublishDigitalProduct',
  method: 'POST',
  path: `${one}/unpublish`,
  summary: 'Unpublish a digital product',
  description: 'Hides it from the public. Whoever has access keeps it.',
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'UnpublishProduct' }),
});

const archive = operation({
  ...changing,
  id: 'archiveDigitalProduct',
  method: 'POST',
  path: `${one}/archive`,
  summary: 'Archive a digital product',
  description: 'Hides it for good and ends changes; a published product is unpublished first.',
  errors: ['invalid_state'],
  handle: (call, ports) => change(call, ports, { type: 'ArchiveProduct' }),
});

const remove = operation({
  ...writing,
  id: 'deleteDigitalProduct',
  method: 'DELETE',
  path: one,
  summary: 'Delete a digital product',
  description: 'Only one that was never published; others are archived.',
  params: productParams,
  ifMatch: 'accepted',
  status: 204,
  errors: ['invalid_state'],
  async handle(call, ports) {
    const { observed } = await change(call, ports, { type: 'DeleteProduct' });
    return observed ? { observed } : {};
  },
});

/** All operations on digital products. */
export const productOperations = [listProducts, create, get, patch, remove, setFiles, publish, unpublish, archive];
