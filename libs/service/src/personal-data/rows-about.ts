import type { Collection, Found, Incoming } from '@lyceum/documents';
import { Unavailable } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import type { DataSubject, PersonalPage } from './personal-data.ts';

/** Rows of a page: what an answer holds does not grow with what is known of a person. */
const pageSize = 100;

/** A page of the rows of a read model whose field names a person, each as `shown` makes of it. */
export async function rowsAbout(
  { documents }: Pick<Ports, 'documents'>,
  { school, subject }: DataSubject,
  rows: { readonly collection: Collection; readonly field: string },
  after: string | undefined,
  shown: (row: Found) => object | Promise<object>,
): Promise<PersonalPage> {
  const where = [{ field: rows.field, is: subject }];
  const behind = after === undefined ? {} : { after: { value: null, id: after } };
  const { items, more } = await documents.query(rows.collection, school, { where, limit: pageSize, ...behind });
  return { records: await Promise.all(items.map(shown)), next: more ? items.at(-1)?.id : undefined };
}

/** Milliseconds that a read model is waited for at a time. */
const patience = 1_000;

/**
 * Does something with every row about a person that there was up to an event of the service's own log, e.g. their erasure.
 * Throws `Unavailable` while the read model does not have all of it.
 */
export async function forRowsAbout(
  ports: Pick<Ports, 'documents' | 'log'>,
  { service, ...rows }: { readonly service: string; readonly collection: Collection; readonly field: string },
  { tenant: school, position }: Pick<Incoming, 'tenant' | 'position'>,
  subject: string,
  act: (row: Found) => Promise<void>,
): Promise<void> {
  const { documents, log } = ports;
  if (!(await documents.waitFor(rows.collection, service, log.laneOf(school), position, patience)))
    throw new Unavailable(`what ${rows.collection.name} say about somebody is not read yet`);
  let after: string | undefined;
  do {
    const page = await rowsAbout(ports, { school, subject }, rows, after, (row) => row);
    for (const row of page.records) await act(row as Found);
    after = page.next;
  } while (after !== undefined);
}

/** The one record that there is about a person, or none. */
export const onlyRecord = (record: object | null | undefined): PersonalPage => ({ records: record ? [record] : [] });
