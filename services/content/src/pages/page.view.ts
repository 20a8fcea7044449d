import type { View } from '@lyceum/web';
import { formShown } from '../forms/form.ts';
import { imageShown } from '../values/image-address.ts';
import { knownContent } from '../publication/publication.state.ts';
import { publicationShown } from '../publication/publication.view.ts';
import { blockKinds } from './page.events.ts';
import { blocksShown } from './page.files.ts';
import type { PageReply } from './page.schema.ts';
import type { Page, PageContent } from './page.state.ts';

type StaffField = 'draft' | 'kind' | 'status' | 'scheduled_for' | 'unpublished_changes' | 'revisions';
/** A page as some view has it. */
export type ShownPage = Omit<PageReply, StaffField> & Partial<Pick<PageReply, StaffField>>;

/** A content as it is shown. A block of a later release, of a kind that is unknown here, is left out. */
const contentShown = ({ title, blocks, seo }: PageContent, page: string, isForStaff: boolean) => ({
  title,
  blocks: blocksShown(blocks.filter(({ kind }) => blockKinds.includes(kind))).map((block) =>
    formShown(page, block, isForStaff),
  ),
  seo: { ...seo, image: seo.image === null ? null : imageShown(seo.image) },
});

/** A page as a view shows it. What only the staff see is absent from the others, not null. */
export function pageDocument(page: Page, view: View): ShownPage {
  const { id, slug, kind, draft, published_at, created_at, updated_at, version } = page;
  const forStaff = () => ({ kind, ...publicationShown(page), draft: contentShown(draft, id, true) });
  return {
    id,
    object: 'page',
    slug,
    ...contentShown(knownContent(page), id, view === 'staff'),
    published_at,
    ...(view === 'staff' ? forStaff() : {}),
    created_at,
    updated_at,
    version,
    view,
  };
}

const withoutBlocks = (content: PageContent): PageContent => ({ ...content, blocks: [] });

/** A page in the read model: without what its blocks say, which lists do not show. */
export const pageRow = (page: Page): Page => ({
  ...page,
  draft: withoutBlocks(page.draft),
  revisions: page.revisions.map((each) => ({ ...each, content: withoutBlocks(each.content) })),
});
