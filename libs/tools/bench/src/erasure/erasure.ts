import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Collection, type Write, sqliteDocuments } from '@lyceum/documents';
import { sqliteKeyStore } from '@lyceum/eventlog';
import { type Database, adding, openDatabase } from '@lyceum/sqlite';
import type { Case, Round, Side } from '../measuring/case.ts';
import { observeTurns } from '../append/turns.ts';

/** One erasure, of which the longest turn of the event loop is timed. */
async function timed(erase: () => Promise<void>): Promise<Round> {
  const turns = observeTurns();
  await erase();
  return { operations: 1, latencies: [turns.longest()] };
}

const texts: Collection = { name: 'texts', version: 1, fields: { author: 'text', written: 'number' } };

/** Bytes of a document, about; documents of a person; and how many are written in one step. */
const [length, each, step] = [2_000, 20, 500];

/** A person and the ids of what they wrote. */
interface Person {
  readonly tenant: string;
  readonly author: string;
  readonly ids: readonly string[];
}

const personOf = (number: number): Person => ({
  tenant: `school_${number % 100}`,
  author: `account_${number}`,
  ids: Array.from({ length: each }, () => randomBytes(12).toString('hex')),
});

const documentsOf = ({ tenant, author, ids }: Person): readonly Write[] =>
  ids.map((id, written) => ({ tenant, id, body: { author, written, text: id.repeat((length - 100) / id.length) } }));

/** Read models of some megabytes, whose documents come in no order, as those of people do. */
const readModels = (megabytes: number): Side => ({
  name: `read models of ${megabytes} MB, a person with ${each} documents; timed: the longest turn of the event loop`,
  async open(folder) {
    const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
    await documents.open(texts);
    const people: Person[] = [];
    let position = 0;
    const write = async (writes: readonly Write[]) => {
      await documents.apply(texts, 'bench', 0, position, position + 1, writes);
      position += 1;
    };
    while (people.length * each * length < megabytes * 1e6) {
      const some = Array.from({ length: step / each }, (_, index) => personOf(people.length + index));
      people.push(...some);
      await write(some.flatMap((person) => documentsOf(person)));
    }
    return {
      round() {
        const [person] = people.splice(Math.floor(Math.random() * people.length), 1);
        return timed(async () => {
          await write(documentsOf(person!).map((document) => ({ ...document, body: null })));
          await documents.scrub!();
        });
      },
      close: () => documents.close(),
    };
  },
});

const keyStore = (count: number): Side => ({
  name: `a store of ${count} keys, one of which is destroyed; timed: the longest turn of the event loop`,
  async open(folder) {
    let database: Database | undefined;
    const open = async (file: string) => (database = await openDatabase(file, { durable: true }));
    const store = await sqliteKeyStore({ file: join(folder, 'keys.db'), open });
    const subjects = Array.from({ length: count }, () => `account_${randomBytes(16).toString('hex')}`);
    const add = adding(database!, 'INSERT INTO keys (tenant, subject, wrapped)', 3, 100);
    for (let from = 0; from < count; from += 10_000)
      database!.transaction(() =>
        add(
          subjects
            .slice(from, from + 10_000)
            .map((subject) => ['school', subject, randomBytes(60).toString('base64url')]),
        ),
      );
    return {
      round: () => timed(() => store.destroy({ tenant: 'school', subject: subjects.pop()! })),
      close: () => store.close(),
    };
  },
});

/** What an erasure does to everybody else: a tenth of the size that is claimed, and the whole with `--long`. */
export const erasureCases = (isLong: boolean): readonly Case[] => {
  const [megabytes, keys] = isLong ? [1_000, 1_000_000] : [100, 100_000];
  const goals = { p99: 20 };
  return [
    { name: 'erasure, stops by read models', unit: 'erasures', sides: [readModels(megabytes)], goals },
    { name: 'erasure, stops by the key store', unit: 'erasures', sides: [keyStore(keys)], goals },
  ];
};
