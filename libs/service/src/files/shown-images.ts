import { mediaPaths } from '@lyceum/contracts';
import { memoized } from '@lyceum/web';

/**
 * Puts the whole address of an image into documents that have the path of a file of the school there: a document of a thing
 * lasts, and its school may move. An address elsewhere stays as it is.
 */
export function addressed<Name extends string>(
  name: Name,
): <Shown extends { readonly [N in Name]?: string | null | undefined }>(shown: Shown, issuer: string) => Shown {
  const whole = memoized((shown: object, issuer: string) => ({ ...shown, [name]: issuer + Reflect.get(shown, name) }));
  return <Shown extends { readonly [N in Name]?: string | null | undefined }>(shown: Shown, issuer: string) =>
    shown[name]?.startsWith(mediaPaths.publicFiles) ? (whole(shown, issuer) as Shown) : shown;
}
