import type { AskService } from '@lyceum/internal-api';
import {
  type PersonalDataAnswer,
  type PersonalDataQuestion,
  personalDataAnswer,
  personalDataQuery,
} from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';

/** Whose records are read. */
export interface WhoseRecords {
  readonly school: string;
  readonly account: string;
}

/** Asks a service of the installation. */
export interface AskingPorts {
  readonly ask?: AskService | undefined;
}

type Place = PersonalDataQuestion['from'];

/** How often a page is asked for, and milliseconds before the second time; before each further one twice as long. */
const [tries, firstPause] = [4, 500];

/** The most pages of one service: one that never ends is a fault, and millions of records are not. */
const mostPages = 50_000;

/** What one service keeps about a person, page by page: one is held at a time. */
export class PersonalRecords {
  readonly service: string;
  readonly #whose: WhoseRecords;
  readonly #ask: AskService;
  #page: PersonalDataAnswer;
  #pages = 1;

  private constructor(service: string, whose: WhoseRecords, ask: AskService, first: PersonalDataAnswer) {
    this.service = service;
    this.#whose = whose;
    this.#ask = ask;
    this.#page = first;
  }

  /** Reads the first page, once. Throws when the service does not tell what it keeps, as one that is away or of an older release. */
  static async open({ ask }: AskingPorts, service: string, whose: WhoseRecords): Promise<PersonalRecords> {
    if (!ask) throw new Error('no service can be asked');
    return new PersonalRecords(service, whose, ask, await pageOf(ask, service, whose, null));
  }

  /** The file that comes next; undefined when there is none any more. */
  get file(): string | undefined {
    return this.#page.file ?? undefined;
  }

  /** The records of that file; to be read to their end before the next file. Throws when the service stays away for seconds. */
  async *records(): AsyncGenerator<PersonalDataAnswer['records']> {
    const { file } = this.#page;
    for (let isInFile = true; isInFile;) {
      yield this.#page.records;
      const { next } = this.#page;
      this.#page = next ? await this.#read(next) : { file: null, records: [], next: null };
      isInFile = this.#page.file === file;
    }
  }

  async #read(from: NonNullable<Place>): Promise<PersonalDataAnswer> {
    this.#pages += 1;
    if (this.#pages > mostPages) throw new Error(`the ${this.service} service does not come to an end`);
    for (let pause = firstPause, left = tries; ; pause *= 2) {
      try {
        return await pageOf(this.#ask, this.service, this.#whose, from);
      } catch (error) {
        left -= 1;
        if (left === 0) throw error;
        await delay(pause);
      }
    }
  }
}

async function pageOf(
  ask: AskService,
  service: string,
  { school, account }: WhoseRecords,
  from: Place,
): Promise<PersonalDataAnswer> {
  const question: PersonalDataQuestion = { kind: personalDataQuery, school, subject: account, from };
  return personalDataAnswer.parse(await ask(service, question));
}
