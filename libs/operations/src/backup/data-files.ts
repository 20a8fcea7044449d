import { openLogDatabase } from '@lyceum/eventlog';
import { type Database, openDatabase } from '@lyceum/sqlite';
import { type Metrics } from '../metrics/metrics.ts';
import { meteredDatabase } from '../metrics/metered.ts';

/** A durable file that this process has open. */
export interface DataFile {
  readonly service: string;
  readonly file: string;
  readonly database: Database;
}

/** The durable database files of a process, for its backups: logs and key stores. */
export class DataFiles {
  readonly #metrics: Metrics;
  readonly #logs = new Map<string, DataFile>();
  readonly #keys = new Map<string, DataFile>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  get logs(): readonly DataFile[] {
    return [...this.#logs.values()];
  }

  get keys(): readonly DataFile[] {
    return [...this.#keys.values()];
  }

  /** Opens a log's file; its trips to stable storage are timed. */
  openLog(service: string): (file: string) => Promise<Database> {
    return async (file) => {
      const database = await openLogDatabase(file);
      this.#logs.set(service, { service, file, database });
      return meteredDatabase(database, service, this.#metrics);
    };
  }

  /** Opens a key store's file. */
  openKeys(service: string): (file: string) => Promise<Database> {
    return async (file) => {
      const database = await openDatabase(file, { durable: true });
      this.#keys.set(service, { service, file, database });
      return database;
    };
  }
}
