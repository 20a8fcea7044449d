import { formKept } from '../form-blocks/form-block.ts';
import { imageKept } from '../values/images.ts';
import { imageOf } from './page.files.ts';
import type { PageContent } from './page.state.ts';

type Naming = Parameters<typeof imageKept>;

/**
 * The parts of a content as they are kept: each image is a file of the school, or an address elsewhere. `known`: the files
 * that the page names already. Throws what `imageKept` throws.
 */
export async function contentKept<Content extends Partial<PageContent>>(
  call: Naming[0],
  ports: Naming[1],
  content: Content,
  known: ReadonlySet<string>,
): Promise<Content> {
  const keep = (image: string, path: string) => imageKept(call, ports, image, { path, purpose: 'page_image', known });
  const { blocks, seo } = content;
  const replaced = blocks?.map(async (block, index) => {
    const image = imageOf(block);
    return image === undefined ? formKept(block) : { ...block, image: await keep(image, `blocks.${index}.image`) };
  });
  return {
    ...content,
    ...(replaced ? { blocks: await Promise.all(replaced) } : {}),
    ...(seo ? { seo: { ...seo, image: seo.image && (await keep(seo.image, 'seo.image')) } } : {}),
  };
}
