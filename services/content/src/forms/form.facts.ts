import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { formEvents } from './form.events.ts';

/** What other services hear of a form. */
export function formFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('form_')) return undefined;
  const form_id = recorded.stream;
  const event = upcast(formEvents, recorded);
  const { page_id } = event.data;
  return event.type === 'FormDefined'
    ? { type: event.type, data: { form_id, page_id, name: event.data.name } }
    : { type: event.type, data: { form_id, page_id } };
}
