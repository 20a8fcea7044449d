import { imagePath } from '@lyceum/contracts';
import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** Of everything that has a cover. */
export const coverEvents = {
  /** The cover is a file of the school; null = an address elsewhere, or none. */
  CoverFileSet: { version: 1, data: z.object({ file_id: z.string().nullable() }) },
} as const satisfies EventTypes;

/** A cover as it is kept: a file of the school or an address elsewhere, at most one of them. */
export interface Cover {
  readonly cover?: string | null;
  readonly cover_file?: string | null;
}

/** The events by which a thing gets another file as its cover. */
export const coverFileEvents = (
  before: Covered,
  file_id: string | null | undefined,
): readonly EventOf<typeof coverEvents>[] =>
  file_id === undefined || file_id === (before.cover_file ?? null) ? [] : [{ type: 'CoverFileSet', data: { file_id } }];

/** The same as a state has it. */
export type Covered = { readonly [Name in keyof Cover]?: Cover[Name] | undefined };

/** The path or the address of a cover. */
export const coverShown = ({ cover, cover_file }: Covered): string | null =>
  cover_file ? imagePath(cover_file) : (cover ?? null);
