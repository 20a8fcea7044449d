import { isoTime } from '@lyceum/kernel';

const hour = 3_600_000;
/** What fails is tried again by itself for so long, in milliseconds, and so often at least: a service may be down for days. */
const [longest, fewest] = [24 * hour, 12];
const [firstPause, longestPause] = [1_000, hour];

/** A command that fails: how often it was given up for a while, and since when it fails, RFC 3339 UTC. */
export interface Failing {
  readonly rounds: number;
  readonly since: string;
}

/** A command that waits. */
export interface Waiting {
  /** The version of the event that says so. */
  readonly version: number;
  /** When it is tried again by itself, RFC 3339 UTC; null = when an operator wants it. */
  readonly retry_at: string | null;
}

/** What fails in a process, by the command. */
export interface Failures {
  readonly waiting: Readonly<Record<string, Waiting>>;
  readonly failing: Readonly<Record<string, Failing>>;
}

/** Nothing has failed. */
export const noFailures: Failures = { waiting: {}, failing: {} };

/** That a command is tried again by itself. Times are RFC 3339 UTC. */
export interface Retry {
  readonly at: string;
  readonly since: string;
}

/**
 * When what fails once more is tried again: after 1 s, 2 s, 4 s … 1 h, up to a quarter of it earlier by `spread` (0 to 1),
 * so that what failed together is not tried together. undefined = it has failed for a day: an operator looks into it.
 */
export function nextRetry(before: Failing | undefined, now: string, spread: number): Retry | undefined {
  const { rounds, since } = before ?? { rounds: 0, since: now };
  const [at, begun] = [Date.parse(now), Date.parse(since)];
  if (rounds >= fewest && at - begun >= longest) return undefined;
  const pause = Math.min(firstPause * 2 ** rounds, longestPause);
  return { at: isoTime(at + Math.ceil(pause * (1 - spread / 4))), since };
}

/** The failures with one more of a command. */
export function afterFailure(
  { waiting, failing }: Failures,
  key: string,
  version: number,
  retry: Retry | undefined,
): Failures {
  const { [key]: before, ...others } = failing;
  const more = retry && { [key]: { rounds: (before?.rounds ?? 0) + 1, since: retry.since } };
  return {
    waiting: { ...waiting, [key]: { version, retry_at: retry?.at ?? null } },
    // What an operator resumes has all of its time again.
    failing: { ...others, ...more },
  };
}

/** The failures once a command is being tried again. */
export function afterResumption({ waiting, failing }: Failures, key: string): Failures {
  const { [key]: _resumed, ...others } = waiting;
  return { waiting: others, failing };
}
