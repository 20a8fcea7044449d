import { imageOf } from '@lyceum/service';
import type { KeptImage } from './image-address.ts';

type Naming = Parameters<typeof imageOf>;

/** Where in a request an image is named, and what files of the place are uploaded for. */
interface Place {
  readonly path: string;
  readonly purpose: 'page_image' | 'cover';
}

/**
 * The image that a client names, as it is kept. `known`: those that the thing names already, which may stay. Throws when it
 * is no image of the school, or not there yet.
 */
export async function imageKept(
  call: Naming[0],
  ports: Naming[1],
  text: string,
  { path, purpose, known }: Place & { readonly known: ReadonlySet<string> },
): Promise<KeptImage> {
  const named = await imageOf(call, ports, text, { path, purposes: [purpose], known: knownFileIn(text, known) });
  return 'file' in named ? named.file : named.url;
}

/** The known file that a text ends with: by its id alone, or by its address. */
const knownFileIn = (text: string, known: ReadonlySet<string>): string | undefined => {
  const id = text.slice(text.lastIndexOf('/') + 1);
  return known.has(id) ? id : undefined;
};
