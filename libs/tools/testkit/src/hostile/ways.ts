import type { HostileSchool } from './hostile-school.ts';
import type { Lane } from './lane.ts';

/** One way in which a school, or those who ask it, may be hostile. */
export interface Way {
  readonly name: string;
  /** Callers that do it side by side. */
  readonly lanes: number;
  /** What the server answers when it really does what is asked, or refuses it as it should. */
  readonly works: readonly number[];
  /** Prepares a lane; what it returns is done again and again, and tells the status of the answer. */
  readonly begin: (school: HostileSchool, lane: Lane) => Act;
}

/** Asks once; 0 when the connection ended without an answer. */
export type Act = () => Promise<number>;
