import { z } from 'zod';

/**
 * The changes that a merge patch asks for. No member is an object, so a patch is flat: what it has, replaces. `cleared`:
 * what null stands for, where that is not null itself.
 * @see RFC 7396 §2
 */
export const changesIn = (patch: object, cleared: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === null ? (cleared[name] ?? null) : value]),
  );

/** The body that changes a thing. @see RFC 7396 */
export const mergePatch = <Shape extends z.ZodRawShape>(
  shape: Shape,
  meta: { readonly id: string; readonly example: object },
) =>
  z.strictObject(shape).meta({
    id: meta.id,
    description: 'JSON Merge Patch (RFC 7396): what is left out stays, null clears, a list replaces the list.',
    example: meta.example,
  });
