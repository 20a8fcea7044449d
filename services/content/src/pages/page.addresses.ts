import { mediaPaths } from '@lyceum/contracts';
import { memoized } from '@lyceum/web';
import type { PageReply } from './page.schema.ts';
import type { ShownPage } from './page.view.ts';

const whole = (image: string, issuer: string): string =>
  image.startsWith(mediaPaths.publicFiles) ? issuer + image : image;

/** What lists leave out is not there. */
type Content = Pick<PageReply, 'seo'> & Partial<Pick<PageReply, 'blocks'>>;

const blockAddressed = (block: PageReply['blocks'][number], issuer: string): typeof block =>
  'image' in block && block.image !== undefined ? { ...block, image: whole(block.image, issuer) } : block;

const contentAddressed = <Of extends Content>(content: Of, issuer: string): Of => ({
  ...content,
  ...(content.blocks ? { blocks: content.blocks.map((block) => blockAddressed(block, issuer)) } : {}),
  seo: { ...content.seo, image: content.seo.image && whole(content.seo.image, issuer) },
});

/** A page with the whole addresses of its images. */
export const pageAddressed = memoized((shown: ShownPage, issuer: string): ShownPage => {
  const { draft } = shown;
  return { ...contentAddressed(shown, issuer), ...(draft ? { draft: contentAddressed(draft, issuer) } : {}) };
});
