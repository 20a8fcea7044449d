import type { Call, Ports } from '@lyceum/web';
import { z } from 'zod';
import { lecturers, viewOf, withAvatar } from './lecturer.http.ts';
import { lecturerItem } from './lecturer.schema.ts';
import { lecturerDocument } from './lecturer.view.ts';

/** Lecturers in something else that names them. */
export const lecturersExpansion = { scope: 'lecturers:read', reply: z.array(lecturerItem) } as const;

/** Ids that one query asks for at most. */
const most = 100;

/** The lecturers of these ids, as far as the list has them and the caller may know of them. */
export async function shownLecturers(
  call: Pick<Call, 'school' | 'issuer' | 'principal' | 'view'>,
  { documents }: Pick<Ports, 'documents'>,
  ids: readonly string[],
) {
  const chunks = Array.from({ length: Math.ceil(ids.length / most) }, (_, at) => ids.slice(at * most, (at + 1) * most));
  const pages = await Promise.all(
    chunks.map((some) =>
      documents.query(lecturers.collection, call.school, { where: [{ field: 'id', in: some }], limit: some.length }),
    ),
  );
  return pages
    .flatMap(({ items }) => items)
    .map(({ id, body }) => {
      const lecturer = lecturers.thingOf(body);
      return { id, lecturer, view: viewOf(call, lecturer) };
    })
    .filter(({ lecturer, view }) => lecturer.status === 'active' || view === 'staff')
    .map(({ id, lecturer, view }) => ({ ...withAvatar(lecturerDocument(lecturer, view, id), call.issuer), id }));
}
