import type { Given } from './assumptions.ts';
import type { UnitCosts } from './unit-costs.ts';

/** What comes at the busiest time, each second, and in a day. */
export interface Load {
  /** Sessions at the same time. */
  readonly sessions: number;
  readonly requests: number;
  readonly reads: number;
  readonly writes: number;
  readonly events: number;
  readonly mcpCalls: number;
  readonly signIns: number;
  readonly refreshes: number;
  readonly requestsPerDay: number;
  readonly eventsPerDay: number;
}

const minutesPerDay = 1_440;

/** The load of so many learners. */
export function loadOf(given: Given, { eventsPerWrite }: UnitCosts): Load {
  const present = given.learners * given.active;
  const sessions = (present * given.minutes * given.peak) / minutesPerDay;
  const started = sessions / (given.sessionMinutes * 60);
  const requests = started * given.requestsPerSession;
  const writes = requests * given.writes;
  const requestsPerDay = ((present * given.minutes) / given.sessionMinutes) * given.requestsPerSession;
  return {
    sessions,
    requests,
    reads: requests - writes,
    writes,
    events: writes * eventsPerWrite,
    mcpCalls: requests * given.mcp,
    signIns: started * given.signIns,
    refreshes: sessions / (given.accessTokenMinutes * 60),
    requestsPerDay,
    eventsPerDay: requestsPerDay * given.writes * eventsPerWrite,
  };
}
