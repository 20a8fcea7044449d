import type { AskingPorts } from '@lyceum/service';
import {
  type Operation,
  type Ports,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { callerOf } from '../enrollments/enrollment.read.ts';
import { productAccesses } from '../product-access/product-access.rows.ts';
import { productAccessList, productAccessReply } from '../product-access/product-access.schema.ts';
import { type ProductAccessDecided, decideProductAccess } from '../product-access/product-access.write.ts';
import { type OfferedProduct, downloadsLeft } from '../products/offered-product.ts';
import { offeredProduct } from '../products/product.catalog.ts';
import { productId } from '../products/product-id.ts';
import { accessesShown } from './accesses-shown.ts';
import { downloadBody, downloadReply } from './download.schema.ts';

const path = '/api/account/downloads';
// Nobody sees more of their own downloads for being staff.
const own = { area: 'account', anonymous: false, staff: [], path } as const;

/** Lists the digital products that the token's member was given. */
const listOwnDownloads = (asking: AskingPorts): Operation =>
  operation({
    ...own,
    scope: 'account:read',
    id: 'listOwnDownloads',
    method: 'GET',
    summary: 'List what you may download',
    description:
      'The digital products that you have access to, with their files, and those that you had, newest first. A free one is here after its first download. The list follows writes with a short delay: see Consistency-Token.',
    readModel: productAccesses,
    query: z.strictObject({ ...listFilters, product_id: productId.optional(), ...fieldsOf(productAccessReply) }),
    status: 200,
    reply: productAccessList,
    errors: ['temporarily_unavailable'],
    async handle(call, { documents }) {
      const where = [
        { field: 'member_id', is: callerOf(call) },
        { field: 'given', is: 'yes' },
        ...given(call.query.product_id, (is) => ({ field: 'product_id', is })),
        ...filterConditions(call.query),
      ];
      const sort = orderOf(call.query);
      const page = await documents.query(productAccesses, call.school, { where, sort, ...call.page });
      const items = await accessesShown(asking, call, 'member', page.items);
      return listReply({ ...page, items }, ({ document }) => document, sort);
    },
  });

/** The answer to a download that was issued: the same again, for as long as the request is repeated. */
function issued(
  call: Parameters<NonNullable<Ports['files']>['addressOf']>[0],
  { files }: Pick<Ports, 'files'>,
  product: OfferedProduct,
  { state }: ProductAccessDecided,
) {
  const { product_id, used, last } = state;
  const file = product.files.find(({ file_id }) => file_id === last?.file_id);
  if (!last || !file) throw new Problem('not_found', 'The digital product has no such file');
  const address = files?.addressOf(call, file, last.expires_at);
  if (!address) throw new Problem('server_error', undefined, { cause: new Error('no address of a file can be made') });
  return {
    object: 'download',
    product_id,
    file_id: file.file_id,
    url: address.url,
    expires_at: address.url_expires_at,
    downloads_left: downloadsLeft(product, used),
    view: 'member',
  };
}

/** Gives the token's member an address to download a file from. */
const issueDownload = (asking: AskingPorts): Operation =>
  operation({
    ...own,
    scope: 'account:write',
    id: 'issueDownload',
    method: 'POST',
    summary: 'Download a file of a digital product',
    description:
      'Answers with a signed address, which lives as long as the product says, and counts as one download; send an Idempotency-Key so that a repetition is not another one. What is free is yours with the first download; anything else you need access to: 403 `access_denied`.',
    body: downloadBody,
    status: 201,
    reply: downloadReply,
    errors: ['download_limit', 'file_not_ready', 'not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      const { product_id, file_id } = call.body;
      const product = await offeredProduct(asking, call.school, product_id);
      if (!product) throw new Problem('not_found', 'There is no such digital product');
      const done = await decideProductAccess(call, ports, {
        type: 'IssueDownload',
        member_id: callerOf(call),
        product_id,
        file_id,
        product,
        source_id: call.commit.commitId,
        now: call.at,
      });
      return { body: issued(call, ports, product, done), observed: asOf(done).observed };
    },
  });

/** The operations of members on what they may download. */
export const ownDownloadOperations = (asking: AskingPorts): readonly Operation[] => [
  listOwnDownloads(asking),
  issueDownload(asking),
];
