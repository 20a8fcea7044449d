import { type Collection, type Documents, mongodbDocuments } from '@lyceum/documents';
import { type Append, type EventLog, mongodbEventLog } from '@lyceum/eventlog';
import { randomUUID } from 'node:crypto';

/** Callers that append at a time; schools, which are spread over the lanes; courses of each. */
const [callers, schools, courses] = [1_024, 64, 2];
/** The read models of the catalogue over its own log. */
const readModels = ['courses', 'lecturers', 'digital_products'];
const source = 'catalog';
const pointers = { name: 'pointers', version: 1, fields: {} };
const outbox = { name: 'outbox', version: 1, fields: {} };

const fields = {
  title: 'Measured',
  subtitle: null,
  summary: 'x'.repeat(150),
  description: '',
  cover: null,
  tags: [],
  category: null,
  level: null,
  language: null,
  certificate: false,
  access: 'free',
  enrollment_opens_at: null,
  enrollment_closes_at: null,
  presale_opens_at: null,
  access_days: null,
  listing: 'listed',
  internal_note: null,
};

const shown = {
  slug: 'measured',
  title: 'Measured',
  summary: 'x'.repeat(150),
  access: 'free',
  listed: true,
  prices: [],
  seat_limit: null,
  lecturer_ids: [],
  access_days: null,
};

/** A log of the catalogue that its processes work off. */
export class Backlog {
  readonly #log: EventLog;
  readonly #documents: Documents;
  readonly #opened = new Set<string>();

  private constructor(log: EventLog, documents: Documents) {
    this.#log = log;
    this.#documents = documents;
  }

  /** Opens the log and makes its courses. */
  static async open(url: string, database: string, lanes: number): Promise<Backlog> {
    const log = await mongodbEventLog({ url, database, lanes });
    const backlog = new Backlog(log, await mongodbDocuments({ url, database }));
    for (const collection of [pointers, outbox]) await backlog.#documents.open(collection);
    await backlog.#appendAll(schools * courses, (n) => {
      const slug = `measured-${n}`;
      const data = { course_id: courseOf(n), slug, fields, created_by: 'account_bench' };
      return [{ type: 'CourseCreated', data }];
    });
    return backlog;
  }

  /** Writes commits of a change of a course, which is projected and published. */
  async write(commits: number): Promise<void> {
    await this.#appendAll(commits, (n) => {
      const title = `Measured ${n}`;
      return [
        { type: 'CourseChanged', data: { fields: { title } } },
        { type: 'CourseShown', data: { ...shown, title } },
      ];
    });
  }

  /** How many commits every read model and the relay have behind them, of all lanes. The relay keeps where it is once a second. */
  async done(): Promise<number> {
    const { epoch } = this.#log;
    const read = await Promise.all(readModels.map((name) => this.#liveOf(name)));
    const positions = await Promise.all([
      ...read.map((collection) => this.#positions(collection, source)),
      this.#positions(outbox, epoch === undefined ? source : `${source}@${epoch}`),
    ]);
    return this.#lanes.reduce((sum, lane) => sum + Math.min(...positions.map((each) => each[lane]!)), 0);
  }

  /** How many commits the read model of courses has behind it. */
  async projected(): Promise<number> {
    const positions = await this.#positions(await this.#liveOf('courses'), source);
    return positions.reduce((sum, position) => sum + position, 0);
  }

  /** How many commits there are. */
  async all(): Promise<number> {
    const heads = await Promise.all(this.#lanes.map((lane) => this.#log.head(lane)));
    return heads.reduce((sum, head) => sum + head, 0);
  }

  async close(): Promise<void> {
    await this.#documents.close();
    await this.#log.close();
  }

  get #lanes(): readonly number[] {
    return [...Array(this.#log.lanes).keys()];
  }

  /** Where each lane stands; 0 without a collection. */
  #positions(collection: Collection | undefined, of: string): Promise<readonly number[]> {
    const at = async (lane: number) => (collection ? this.#documents.checkpoint(collection, of, lane) : 0);
    return Promise.all(this.#lanes.map(at));
  }

  /** The collection of the live build. */
  async #liveOf(name: string): Promise<Collection | undefined> {
    const row = await this.#documents.get(pointers, '_platform', name);
    const live = row?.['live'] as (Omit<Collection, 'name'> & { readonly build: number }) | undefined;
    if (!live) return undefined;
    const { version, build, fields } = live;
    const collection = { name: build === 1 ? name : `${name}.${build}`, version, fields };
    if (!this.#opened.has(collection.name)) await this.#documents.open(collection);
    this.#opened.add(collection.name);
    return collection;
  }

  async #appendAll(count: number, eventsOf: (n: number) => readonly { type: string; data: object }[]): Promise<void> {
    let next = 0;
    const append = async (): Promise<void> => {
      for (let n = next++; n < count; n = next++) await this.#log.append(appendOf(n, eventsOf(n)));
    };
    await Promise.all(Array.from({ length: callers }, append));
  }
}

const courseOf = (n: number): string =>
  `course_0197f3a0-0000-7000-8000-${String(n % (schools * courses)).padStart(12, '0')}`;

const appendOf = (n: number, events: readonly { type: string; data: object }[]): Append => ({
  tenant: `school_${n % schools}`,
  expectations: [],
  events: events.map((event) => ({ stream: courseOf(n), schema: 1, ...event })),
  commitId: randomUUID(),
  fingerprint: '',
  at: new Date().toISOString(),
  meta: { actor: 'account_bench' },
});
