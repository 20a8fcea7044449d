import type { FactSource } from '@lyceum/contracts';
import type { Collection, Found, Write } from '@lyceum/documents';
import type { Snapshot } from './followed-state.ts';

/** A lane of a source, in one epoch of its log. */
export interface LanePart {
  readonly source: FactSource;
  readonly lane: number;
  readonly epoch: string;
}

/** Pieces of all schools are kept together, under a tenant that none of them can be. */
export const tenant = '_platform';

/** Lasting pieces that stand by themselves until so many of a lane do: then they become one document, a pack. */
export const packSize = 256;

/** A lasting piece as a pack holds it. */
export type Packed = readonly [name: string, body: unknown];

/**
 * What is kept of a state: documents by source, epoch of its log and lane. A release that keeps more of it has another
 * version: what one before has stored may be past an event of which it kept nothing.
 */
export const snapshotCollection = (name: string, version: number): Collection => ({
  name,
  version,
  fields: { part: 'text', source: 'text' },
});

/** Under what the places of a source are stored, in one epoch of its log. */
export const keyOf = ({ source, epoch }: Pick<LanePart, 'source' | 'epoch'>): string => `${source}@${epoch}`;

/** By what the documents of a lane are found. */
export const partOf = (part: LanePart): string => `${keyOf(part)}/${part.lane}`;

/** The epoch and the lane of such a name. */
export function partNamed(source: FactSource, name: string): LanePart {
  const end = name.lastIndexOf('/');
  return { source, epoch: name.slice(source.length + 1, end), lane: Number(name.slice(end + 1)) };
}

/** The id of a piece that stands by itself. All of these sort before packs: who reads while another process packs misses nothing. */
export const pieceId = ({ epoch }: Pick<LanePart, 'epoch'>, name: string): string => `${epoch}.${name}`;

export const gone = (id: string): Write => ({ tenant, id, body: null });

/** A piece by itself. `at`: the position of the lane at which it was so. */
export function pieceWrite(part: LanePart, at: number, { id: name, until, isLasting, body }: Snapshot): Write {
  const marks = { ...(until === undefined ? {} : { until }), ...(isLasting && { isLasting }) };
  return { tenant, id: pieceId(part, name), body: { part: partOf(part), at, name, body, ...marks } };
}

/** Pieces in packs. `mark` tells those that were packed anew at a position from those that became a pack there. */
export function packWrites(part: LanePart, at: number, pieces: readonly Packed[], mark: '.' | '~'): readonly Write[] {
  const packs: Write[] = [];
  const place = `${part.epoch}~${part.source}.${part.lane}.${padded(at)}${mark}`;
  for (let first = 0; first < pieces.length; first += packSize)
    packs.push({
      tenant,
      id: place + padded(packs.length),
      body: { part: partOf(part), at, pieces: pieces.slice(first, first + packSize) },
    });
  return packs;
}

const padded = (number: number): string => String(number).padStart(16, '0');

/** It says that nothing of an epoch is missing. */
export const completeWrite = ({ source, epoch }: Pick<LanePart, 'source' | 'epoch'>): Write => ({
  tenant,
  id: completeId({ source, epoch }),
  body: { source, epoch },
});

export const completeId = ({ source, epoch }: Pick<LanePart, 'source' | 'epoch'>): string =>
  `${epoch}.complete.${source}`;

/** The position of the lane at which what stands in a document was so. */
export const positionOf = ({ body }: Found): number => Number(body['at']);

/** What stands in a document of a lane, if it is a pack. */
export const packedIn = ({ body }: Found): readonly Packed[] | undefined =>
  body['pieces'] as readonly Packed[] | undefined;

/** The piece in a document that is none. */
export function pieceIn(source: FactSource, { body }: Found): Snapshot {
  const { name, until, isLasting } = body as { name: string; until?: number; isLasting?: true };
  const marks = { ...(until === undefined ? {} : { until }), ...(isLasting && { isLasting }) };
  return { id: name, source, body: body['body'], ...marks };
}
