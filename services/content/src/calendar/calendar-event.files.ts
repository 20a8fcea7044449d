import { filesNamed } from '@lyceum/service';
import { imageKept } from '../values/images.ts';
import type { NamedFiles } from './calendar-event.input.ts';
import type { ChangeEventBody } from './calendar-event.schema.ts';
import type { CalendarEvent } from './calendar-event.state.ts';

type Naming = Parameters<typeof filesNamed>;
type Known = Pick<CalendarEvent, 'cover' | 'materials'>;
const none: Known = { cover: null, materials: [] };

/** What uploads may be for that those who are registered get. */
const purposes = ['lesson_file', 'product_file'];

async function materialsKept(
  call: Naming[0],
  ports: Naming[1],
  named: NonNullable<ChangeEventBody['materials']>,
  { materials }: Known,
) {
  const before = new Map(materials.map((each) => [each.file_id, each]));
  const wanted = named
    .map(({ file_id }, index) => ({ file_id, path: `materials.${index}.file_id`, purposes }))
    .filter(({ file_id }) => !before.has(file_id));
  const found = await filesNamed(call, ports, wanted);
  const ready = new Map(wanted.map(({ file_id }, index) => [file_id, found[index]]));
  return named.flatMap(({ file_id, name }) => {
    const { size, content_type: type } = ready.get(file_id) ?? {
      size: before.get(file_id)?.size,
      content_type: before.get(file_id)?.type,
    };
    return size === undefined || type === undefined ? [] : [{ file_id, name, size, type }];
  });
}

/** The files that a client names, as they are kept. Throws when one is none of the school's, or not there yet. */
export async function filesOf(
  call: Naming[0] & Parameters<typeof imageKept>[0],
  ports: Naming[1],
  { cover, materials }: Pick<ChangeEventBody, 'cover' | 'materials'>,
  known: Known = none,
): Promise<NamedFiles> {
  const place = { path: 'cover', purpose: 'cover', known: new Set(known.cover === null ? [] : [known.cover]) } as const;
  return {
    ...(cover === undefined ? {} : { cover: cover === null ? null : await imageKept(call, ports, cover, place) }),
    ...(materials === undefined ? {} : { materials: await materialsKept(call, ports, materials ?? [], known) }),
  };
}
