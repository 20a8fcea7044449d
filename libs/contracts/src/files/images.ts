import { z } from 'zod';
import { isFileId } from './file-references.ts';
import { mediaPaths } from './media-paths.ts';

const longest = 2_048;
const below = `${mediaPaths.publicFiles}/`;

/** The path of a public file; only the address of its school is missing. */
export const imagePath = (file_id: string): string => below + file_id;

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The file at an address, if it is one of a public file of this origin. */
function fileAt({ origin, pathname, search, hash }: URL, of: string): string | undefined {
  const id = pathname.startsWith(below) ? pathname.slice(below.length) : '';
  return origin === of && search === '' && hash === '' && isFileId(id) ? id : undefined;
}

/** An image as a client names it: a file that it uploaded, or an address elsewhere. */
export const imageInput = () =>
  z
    .string()
    .max(longest)
    .refine((text) => {
      const url = urlOf(text);
      return (
        isFileId(text) || url?.protocol === 'https:' || (url !== undefined && fileAt(url, url.origin) !== undefined)
      );
    }, 'must be the id of an uploaded file, or an https URL')
    .meta({
      description: 'The id of an uploaded file (`upload_…`), or the https address of an image.',
      example: 'https://example.org/cover.png',
    });

/** An image as clients read it. */
export const imageAddress = () => z.string().meta({ format: 'uri', description: 'Address of an image.' });

/** An image as it is meant. */
export type NamedImage = { readonly file: string } | { readonly url: string };

/**
 * What a client means by an image: a file of the school, which its address names too, or an address elsewhere. Undefined
 * for what is neither.
 */
export function imageNamed(text: string, issuer: string): NamedImage | undefined {
  if (isFileId(text)) return { file: text };
  const url = new URL(text);
  const file = URL.canParse(issuer) ? fileAt(url, new URL(issuer).origin) : undefined;
  if (file !== undefined) return { file };
  return url.protocol === 'https:' ? { url: url.href } : undefined;
}
