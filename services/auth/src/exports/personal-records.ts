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
  /** Throws when nobody may have them any more: the person is erased, or the link was replaced, meanwhile. */
  check(): Promise<void>;
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

/** The answer behind the last page. */
const over: PersonalDataAnswer = { file: null, records: [], next: null };

/** What one service keeps about a person, page by page: one is held at a time, the first one from when its file is due. */
export class PersonalRecords {
  readonly service: string;
  readonly #whose: WhoseRecords;
  readonly #ask: AskService;
  #page: PersonalDataAnswer | undefined;
  #pages = 0;

  private constructor(service: string, whose: WhoseRecords, ask: AskService) {
    this.service = service;
    this.#whose = whose;
    this.#ask = ask;
  }

  /**
   * Reads the first page, once, and forgets it: what it says may be another thing when its turn comes. Throws when the service
   * does not tell what it keeps, as one that is away or of an older release.
   */
  static async open({ ask }: AskingPorts, service: string, whose: WhoseRecords): Promise<PersonalRecords> {
    if (!ask) throw new Error('no service can be asked');
    await pageOf(ask, service, whose, null);
    return new PersonalRecords(service, whose, ask);
  }

  /** The file that is due; undefined when there is none any more. Throws as `records` does. */
  async file(): Promise<string | undefined> {
    return (await this.#due()).file ?? undefined;
  }

  /**
   * The records of that file; to be read to their end before the next file. Throws when the service stays away for seconds,
   * and when nobody may have them any more, which each list that is given out was checked for.
   */
  async *records(): AsyncGenerator<PersonalDataAnswer['records']> {
    let page = await this.#due();
    const { file } = page;
    while (page.file !== null && page.file === file) {
      await this.#whose.check();
      yield page.records;
      page = page.next ? await this.#read(page.next) : over;
      this.#page = page;
    }
  }

  async #due(): Promise<PersonalDataAnswer> {
    this.#page ??= await this.#read(null);
    return this.#page;
  }

  async #read(from: Place): Promise<PersonalDataAnswer> {
    await this.#whose.check();
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
