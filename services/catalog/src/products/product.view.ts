import type { View } from '@lyceum/web';
import { coverShown } from '../values/covers.ts';
import type { ProductReply } from './product.schema.ts';
import type { Product } from './product.state.ts';

type StaffField = 'files' | 'download_limit' | 'link_ttl_s' | 'status';
type MemberField = 'downloads' | 'downloads_left';
type Shown = Omit<ProductReply, StaffField | MemberField> & Partial<ProductReply>;

/** A product as a view shows it. What only staff see is absent from the others, not null. */
export function productDocument(product: Product, view: View): Shown {
  const {
    slugs: _slugs,
    created_by: _by,
    cover,
    cover_file,
    files,
    download_limit,
    link_ttl_s,
    status,
    ...open
  } = product;
  return {
    ...open,
    object: 'digital_product',
    cover: coverShown({ cover, cover_file }),
    prices: open.prices.map((price) => ({ ...price })),
    file_summaries: files.map(({ name, size, type }) => ({ name, size, type })),
    ...(view === 'staff' ? { files: files.map((each) => ({ ...each })), download_limit, link_ttl_s, status } : {}),
    view,
  };
}
