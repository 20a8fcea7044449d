import type { View } from '@lyceum/web';
import { longest } from '../../form-blocks/form-block.ts';
import type { FormField } from '../form.events.ts';
import type { Form } from '../form.ts';

/** The most characters that a field takes; null where it takes no text. */
const lengthOf = ({ type, max }: FormField): number | null =>
  type === 'text' || type === 'email' || type === 'phone' ? (max ?? longest[type]) : null;

/** A form as a view shows it. What only the staff see is absent from the others, not null. */
export function formDocument(id: string, form: Form, view: View) {
  const { status, key, tag_on_submit, fields, page_id, name, consent, submit_message, ...recorded } = form;
  return {
    id,
    object: 'form',
    page_id,
    name,
    fields: fields.map((field) => ({
      key: field.key,
      label: field.label,
      type: field.type,
      required: field.required,
      max: lengthOf(field),
      options: field.options ?? [],
    })),
    consent,
    submit_message,
    ...(view === 'staff' ? { key, status, tag_on_submit } : {}),
    ...recorded,
    view,
  };
}
