import type { FactSource } from '@lyceum/contracts';
import { Problem, cursorCodec } from '@lyceum/web';
import { z } from 'zod';
import { changeSources } from './change.rules.ts';

/** Where a reader is in the log of one source. */
export interface Place {
  /** Everything up to here was seen. */
  readonly position: number;
  /** Facts of the commit after it that were seen as well. */
  readonly facts: number;
  /** The life of the log that the position belongs to. */
  readonly life?: string | undefined;
}

/** Where a reader is in all logs. A source that is missing is read from the beginning of what is kept. */
export type Places = Readonly<Partial<Record<FactSource, Place>>>;

const sealed = z.record(
  z.string(),
  z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative(), z.string().optional()]),
);

/** Turns places into opaque cursors and back. A cursor is good for one school. */
export interface PlaceCodec {
  seal(school: string, places: Places): string;
  /** Throws the 400 problem when the cursor was tampered with or is another school's. */
  open(school: string, cursor: string): Places;
}

/** Cursors signed with the secret that every process of the installation shares. */
export function placeCodec(secret: string): PlaceCodec {
  const codec = cursorCodec(secret);
  const bound = (school: string): string => JSON.stringify(['changes', school]);
  return {
    seal(school, places) {
      const short = Object.entries(places).map(([source, { position, facts, life }]) => [
        source,
        life === undefined ? [position, facts] : [position, facts, life],
      ]);
      return codec.seal({ value: null, id: JSON.stringify(Object.fromEntries(short)) }, bound(school));
    },
    open(school, cursor) {
      const read = sealed.safeParse(JSON.parse(codec.open(cursor, bound(school)).id));
      if (!read.success) throw new Problem('invalid_request', 'The cursor is not one of this feed');
      const known = changeSources.flatMap((source) => {
        const place = read.data[source];
        return place ? [[source, { position: place[0], facts: place[1], life: place[2] }] as const] : [];
      });
      return Object.fromEntries(known);
    },
  };
}
