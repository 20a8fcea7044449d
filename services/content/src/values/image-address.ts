import { imagePath, isFileId } from '@lyceum/contracts';

/** An image as it is kept: the id of a file of the school, or an https address elsewhere. */
export type KeptImage = string;

/** The path or the address of an image. */
export const imageShown = (image: KeptImage): string => (isFileId(image) ? imagePath(image) : image);
