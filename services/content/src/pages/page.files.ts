import { isFileId } from '@lyceum/contracts';
import { imageShown } from '../values/image-address.ts';
import type { Block } from './page.blocks.ts';
import type { PageContent } from './page.state.ts';

/** The image of a block, when it has one. */
export const imageOf = (block: Block): string | undefined => ('image' in block ? block.image : undefined);

/** The files that a content names. */
export const filesOf = ({ blocks, seo }: PageContent): readonly string[] =>
  [...blocks.map(imageOf), seo.image].filter(isFileId);

/** Blocks as a view shows them: the paths and addresses of their images. */
export const blocksShown = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => {
    const image = imageOf(block);
    return image === undefined ? block : ({ ...block, image: imageShown(image) } as Block);
  });
