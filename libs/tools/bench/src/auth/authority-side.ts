import type { Goal, Round, Side } from '../measuring/case.ts';
import type { Work } from './auth-work.ts';
import type { Authority } from './authority.ts';

/** What else is said of a side, and how it is made warm. */
interface SideOptions {
  readonly goal?: Goal | undefined;
  readonly about?: string;
  /** A server that was just started spends most of its processor time on compiling what it does often. */
  readonly warm: (round: (milliseconds: number) => Promise<Round>) => Promise<unknown>;
}

/** An authorization server that does one kind of work, as a side of a case. */
export const authoritySide = (
  name: string,
  work: Work,
  open: () => Promise<Authority>,
  { goal, about, warm }: SideOptions,
): Side => ({
  name,
  ...(goal && { goal }),
  ...(about !== undefined && { about }),
  async open() {
    const authority = await open();
    try {
      const round = await work.begin(authority);
      await warm(round);
      return { round, close: () => authority.close() };
    } catch (error) {
      await authority.close();
      throw error;
    }
  },
});
