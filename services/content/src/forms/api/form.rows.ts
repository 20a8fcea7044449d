import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { formEvents } from '../form.events.ts';
import { type Form, formStream } from '../form.ts';

/** The read model behind lists of forms. */
export const forms: Collection = {
  name: 'forms',
  version: 1,
  fields: { status: 'text', page_id: 'text', created_at: 'text', updated_at: 'text' },
};

/** The form of a row. */
export const formOf = (row: Document): Form => rowAs<Form>(row);

/** Folds the events of each form into its row. */
export const formProjection: Projection = {
  collection: forms,
  key: ({ stream }) => (stream.startsWith('form_') ? stream : undefined),
  project(event, before): Document | null {
    const { at, version } = event;
    const next = formStream.evolve(before ? formOf(before) : null, upcast(formEvents, event), { at, version });
    return next && { ...next };
  },
};
