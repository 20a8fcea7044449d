import { servicesOfPeopleWith } from '@lyceum/contracts';
import type { Readable } from 'node:stream';
import type { Texts } from '../pages/texts/texts.ts';
import { type AskingPorts, PersonalRecords, type WhoseRecords } from './personal-records.ts';
import { type ZippedFile, zipOf } from './zip.ts';

/** What an export is made with. */
export interface Exporting extends WhoseRecords {
  readonly texts: Texts;
  /** The name of the school. */
  readonly name: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Asks services, those that ROUTES adds, too. */
interface ExportingPorts extends AskingPorts {
  readonly settings?: { readonly ROUTES?: readonly string[] | undefined };
}

/**
 * All that every service keeps about a person, as a zip file that is made while it is taken. Throws before there is any of it
 * when a service does not answer; one that goes away later breaks it off, as does `check`.
 */
export async function exportArchive(ports: ExportingPorts, exporting: Exporting): Promise<Readable> {
  const services = servicesOfPeopleWith(ports.settings?.ROUTES);
  const all = await Promise.all(services.map((service) => PersonalRecords.open(ports, service, exporting)));
  return zipOf(filesOf(all, exporting), new Date(exporting.at));
}

async function* filesOf(all: readonly PersonalRecords[], exporting: Exporting): AsyncGenerator<ZippedFile> {
  yield { name: 'README.txt', pieces: [readmeOf(exporting)] };
  const counts: Record<string, number> = {};
  for (const each of all)
    for (let file = await each.file(); file !== undefined; file = await each.file()) {
      const name = `${each.service}/${file}.json`;
      yield { name, pieces: listOf(each, (count) => void (counts[name] = count)) };
    }
  await exporting.check();
  const { school, account, at } = exporting;
  const index = { object: 'account_export', school_id: school, account_id: account, exported_at: at, records: counts };
  yield { name: 'index.json', pieces: [`${JSON.stringify(index, null, 2)}\n`] };
}

/** The records of the next file as a list in JSON, a line for each; tells how many there were. */
async function* listOf(from: PersonalRecords, tell: (count: number) => void): AsyncGenerator<string> {
  let count = 0;
  yield '[';
  for await (const records of from.records()) {
    const lines = records.map((record, at) => `${count + at === 0 ? '' : ','}\n${JSON.stringify(record)}`);
    count += records.length;
    yield lines.join('');
  }
  yield '\n]\n';
  tell(count);
}

/** What a person finds in it, in plain words. */
function readmeOf({ texts, name, at }: Exporting): string {
  const lead = texts.exportReadmeLead
    .replaceAll('{school}', name)
    .replaceAll('{date}', at.slice(0, 16).replace('T', ' '));
  const folders = [
    texts.exportReadmeAuth,
    texts.exportReadmeSchool,
    texts.exportReadmeLearning,
    texts.exportReadmeCatalog,
    texts.exportReadmeCommerce,
    texts.exportReadmeMedia,
    texts.exportReadmeContent,
  ];
  return [lead, '', ...folders.map((folder) => `- ${folder}`), '', texts.exportReadmeIndex, ''].join('\r\n');
}
