import type { Collection, Found } from '@lyceum/documents';
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

/** The one record that there is about a person, or none. */
export const onlyRecord = (record: object | null | undefined): PersonalPage => ({ records: record ? [record] : [] });
