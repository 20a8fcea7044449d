/** Digital products of school_1, by what is special about them. */
export const productIds = {
  free: 'product_00000000-0000-7000-8000-000000000001',
  paid: 'product_00000000-0000-7000-8000-000000000002',
  limited: 'product_00000000-0000-7000-8000-000000000003',
  draft: 'product_00000000-0000-7000-8000-000000000004',
  unpublished: 'product_00000000-0000-7000-8000-000000000005',
  archived: 'product_00000000-0000-7000-8000-000000000006',
  old: 'product_00000000-0000-7000-8000-000000000007',
  foreign: 'product_00000000-0000-7000-8000-000000000008',
  none: 'product_00000000-0000-7000-8000-000000000009',
} as const;

/** A digital product, by what is special about it. */
export type Product = keyof typeof productIds;

/** The file of the products, and one of none. */
export const fileIds = {
  only: 'upload_00000000-0000-7000-8000-000000000001',
  none: 'upload_00000000-0000-7000-8000-000000000002',
} as const;

const offered = (product: Product, more: object = {}): [string, object] => [
  productIds[product],
  {
    title: `Title of ${product}`,
    status: 'published',
    access: 'paid',
    download_limit: null,
    link_ttl_s: 600,
    files: [{ file_id: fileIds.only, name: 'templates.zip', size: 7, type: 'application/zip' }],
    created_by: 'account_lecturer',
    ...more,
  },
];

const products: Readonly<Record<string, object>> = Object.fromEntries([
  offered('free', { access: 'free' }),
  offered('paid'),
  offered('limited', { access: 'free', download_limit: 3 }),
  offered('draft', { status: 'draft' }),
  offered('unpublished', { status: 'unpublished', access: 'free' }),
  offered('archived', { status: 'archived' }),
  offered('old', { access: 'free', files: [{ file_id: 'file_1', name: 'a.zip', size: 7, type: 'application/zip' }] }),
  offered('foreign', { created_by: 'account_owner' }),
]);

/** What the catalog answers about digital products: of school_1 only. */
export const offeredProducts = ({ school, ids }: Readonly<Record<string, unknown>>) => ({
  products: Object.fromEntries(
    (ids as readonly string[]).flatMap((id) => {
      const product = school === 'school_1' ? products[id] : undefined;
      return product ? [[id, product]] : [];
    }),
  ),
});
