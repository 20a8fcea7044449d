/** What is assumed of an installation and of the people who use it: a number with its limits, and the flag that changes it. */
export interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly what: string;
  readonly least: number;
  readonly most: number;
}

const share = (value: number, what: string): Assumption => ({ value, unit: 'of 1', what, least: 0, most: 1 });
const count = (value: number, unit: string, what: string, most = 1e6): Assumption => ({
  value,
  unit,
  what,
  least: 0,
  most,
});

/** All assumptions by name; the flag of `eventsPerWrite` is `--events-per-write`. */
export const assumptions = {
  active: share(0.1, 'learners who come on a day'),
  minutes: { ...count(72, 'min', 'time that one who comes is there on a day', 1_440), least: 1 },
  sessionMinutes: { ...count(10, 'min', 'length of a session', 1_440), least: 1 },
  requestsPerSession: count(30, 'requests', 'requests of a session'),
  peak: { ...count(4, '×', 'the busiest minute beside the mean of a day', 100), least: 1 },
  writes: share(0.05, 'requests that change something'),
  mcp: share(0.01, 'requests that are calls of agents'),
  signIns: share(0.35, 'sessions that begin with a password, the others with a session that is there'),
  accessTokenMinutes: { ...count(10, 'min', 'lifetime of an access token', 1_440), least: 1 },
  busyService: share(0.45, 'events that are those of the busiest service (learning)'),
  readModels: count(3, 'read models', 'read models that an event changes, over all services', 100),
  coreShare: {
    ...share(0.6, 'processor time that is used at the peak; the rest is for failures and bursts'),
    least: 0.05,
  },
  schoolsPerCell: { ...count(6_250, 'schools', 'schools of one cell (an installation of its own)', 1e7), least: 1 },
  membershipsPerLearner: count(1.2, 'schools', 'schools that a learner is a member of', 1_000),
  enrollmentsPerLearner: count(2.5, 'courses', 'courses that a learner has', 10_000),
  ordersPerLearner: count(0.5, 'orders', 'orders of a learner', 10_000),
  coursesPerSchool: count(20, 'courses', 'courses of a school'),
  filesPerSchool: count(2, 'GB', 'files of a school'),
  eventDays: {
    ...count(365, 'days', 'days that the installation has run: the log keeps every event', 36_500),
    least: 1,
  },
  databaseFactor: {
    ...count(0.7, '×', 'bytes on a database disk beside bytes that are stored: indexes, compressed', 10),
    least: 0.05,
  },
  kafkaDays: { ...count(7, 'days', 'retention of topics', 3_650), least: 1 },
  publishedShare: share(0.6, 'events that other services hear of'),
  copies: { ...count(3, 'copies', 'copies of what databases and brokers keep', 7), least: 1 },
  diskShare: { ...share(0.7, 'disk that is used; the rest is for compaction and growth'), least: 0.05 },
  answerBytes: count(3_000, 'bytes', 'an answer as it leaves, compressed', 1e9),
} as const satisfies Readonly<Record<string, Assumption>>;

/** Assumptions as numbers, and how many schools and learners there are. */
export type Given = Readonly<Record<keyof typeof assumptions | 'schools' | 'learners', number>>;

/** Money of one for a month. The currency is that of whoever says the prices. */
export interface Prices {
  readonly core: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  readonly fileGb: number;
  readonly trafficGb: number;
}

/** List prices of large providers, by order of magnitude, US dollars. */
export const listPrices: Prices = { core: 25, memoryGb: 3.5, diskGb: 0.1, fileGb: 0.023, trafficGb: 0.05 };
