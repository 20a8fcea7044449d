import type { FactSource } from '@lyceum/contracts';
import type { Clock } from '@lyceum/kernel';
import { Problem, cursorCodec } from '@lyceum/web';
import { z } from 'zod';
import { changeSources } from './change.rules.ts';

/** Where a reader is in the log of one source. */
export interface SourcePosition {
  /** Everything up to here was seen. */
  readonly position: number;
  /** Facts of the commit after it that were seen as well. */
  readonly facts: number;
  /** The epoch of the log that the position belongs to. */
  readonly epoch?: string | undefined;
}

/** Where a reader is in all logs. A source that is missing is read from the beginning of what is kept. */
export type FeedPosition = Readonly<Partial<Record<FactSource, SourcePosition>>>;

const whole = z.number().int().nonnegative();

/** When it was given, seconds since the epoch, and the place in each source. */
const sealed = z.tuple([whole, z.record(z.string(), z.tuple([whole, whole, z.string().optional()]))]);

const resync = 'Read the lists again, and go on with after=now as it was before you read them';

/** The error of a reader who has missed something. */
export const gone = (why: string): Problem => new Problem('gone', `${why}. ${resync}`);

/** Turns positions into opaque cursors and back. A cursor is good for one school. */
export interface ChangeCursors {
  seal(school: string, position: FeedPosition): string;
  /** Throws `invalid_request` when the cursor was tampered with or is another school's, `gone` when it is too old. */
  open(school: string, cursor: string): FeedPosition;
}

/** Cursors signed with the secret that every process of the installation shares, good for `kept` milliseconds. */
export function changeCursors(secret: string, clock: Clock, kept: number): ChangeCursors {
  const codec = cursorCodec(secret);
  const bound = (school: string): string => JSON.stringify(['changes', school]);
  return {
    seal(school, position) {
      const short = Object.entries(position).map(([source, { position, facts, epoch }]) => [
        source,
        epoch === undefined ? [position, facts] : [position, facts, epoch],
      ]);
      const given = Math.floor(clock.now() / 1000);
      return codec.seal({ value: null, id: JSON.stringify([given, Object.fromEntries(short)]) }, bound(school));
    },
    open(school, cursor) {
      const read = sealed.safeParse(JSON.parse(codec.open(cursor, bound(school)).id));
      if (!read.success) throw new Problem('invalid_request', 'The cursor is not one of this feed');
      const [given, position] = read.data;
      if (clock.now() - given * 1000 > kept) throw gone('This cursor is older than what is kept');
      const known = changeSources.flatMap((source) => {
        const place = position[source];
        return place ? [[source, { position: place[0], facts: place[1], epoch: place[2] }] as const] : [];
      });
      return Object.fromEntries(known);
    },
  };
}
